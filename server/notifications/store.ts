import type { Db } from "../db.ts";

export const keepMail = (
  db: Db,
  mail: { recipient: string; subject: string; text: string; html: string; created_at: Date },
) => db.insertInto("kept_mails").values(mail).execute();

export const keptMails = (db: Db) =>
  db
    .selectFrom("kept_mails")
    .select(["id", "recipient", "subject", "text", "created_at"])
    .orderBy("created_at", "desc")
    .limit(100)
    .execute();
