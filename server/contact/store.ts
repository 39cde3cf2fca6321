import { LIMITS } from "#shared/limits.ts";
import type { Db, Row, Tx } from "../database/handles.ts";

export const insertMessage = (tx: Tx, row: Omit<Row<"contact_messages">, "id" | "handled_at">) =>
  tx.insertInto("contact_messages").values(row).returning("id").executeTakeFirstOrThrow();

const messages = (db: Db | Tx) =>
  db.selectFrom("contact_messages").select(["id", "name", "email", "message", "from_gold", "created_at", "handled_at"]);
export type MessageRow = Awaited<ReturnType<typeof waitingMessages>>[number];

/** Returns unhandled messages: Gold first, then the oldest. */
export const waitingMessages = (db: Db) =>
  messages(db)
    .where("handled_at", "is", null)
    .orderBy("from_gold", "desc")
    .orderBy("created_at")
    .orderBy("id")
    .limit(LIMITS.inboxWaiting)
    .execute();

export const handledMessages = (db: Db) =>
  messages(db).where("handled_at", "is not", null).orderBy("handled_at", "desc").limit(LIMITS.inboxHandled).execute();

export const lockWaitingMessage = (tx: Tx, id: string) =>
  messages(tx).where("id", "=", id).where("handled_at", "is", null).forUpdate().executeTakeFirst();

export const markHandled = (tx: Tx, id: string, now: Date) =>
  tx.updateTable("contact_messages").set({ handled_at: now }).where("id", "=", id).execute();
