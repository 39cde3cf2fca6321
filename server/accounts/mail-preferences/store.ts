import { sql } from "kysely";
import type { Db } from "../../database/handles.ts";

type UnsubscribeLink = { link_id: string; token_hash: Buffer };

/** Returns the id from which a user's unsubscribe link is derived. Stores `fresh` if the user has no link. */
export async function unsubscribeLinkOf(
  db: Db,
  profileId: string,
  fresh: UnsubscribeLink,
): Promise<string | undefined> {
  // Inserts no row if the profile is being deleted.
  await sql`insert into mail_preferences (profile_id, link_id, token_hash)
    select id, ${fresh.link_id}, ${fresh.token_hash} from profiles where id = ${profileId} for key share
    on conflict (profile_id) do nothing`.execute(db);
  const row = await db
    .selectFrom("mail_preferences")
    .select("link_id")
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  return row?.link_id;
}

/**
 * Turns mails about answers on or off for all consultations. Turning them on stores a new link and invalidates earlier
 * ones.
 */
export const setAnswerNotifications = (db: Db, profileId: string, on: boolean, fresh: UnsubscribeLink) =>
  db
    .insertInto("mail_preferences")
    .values({ profile_id: profileId, answers: on, ...fresh })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet(on ? { answers: on, ...fresh } : { answers: on }),
    )
    .execute();

/**
 * Turns mails about answers off by a link.
 * @returns true if the link is valid
 */
export const disableAnswerNotifications = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await db
    .updateTable("mail_preferences")
    .set({ answers: false })
    .where("token_hash", "=", tokenHash)
    .returning("profile_id")
    .executeTakeFirst()) !== undefined;
