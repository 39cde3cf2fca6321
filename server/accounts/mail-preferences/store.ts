import { sql } from "kysely";
import type { NotificationChoicesView } from "#shared/notifications.ts";
import type { Db, Tx } from "../../database/handles.ts";

type UnsubscribeLink = { link_id: string; token_hash: Buffer };

/**
 * Returns the id from which a user's unsubscribe link is derived. Stores `fresh` if the user has no link.
 * @returns undefined if the profile was deleted
 */
export const unsubscribeLinkOf = (db: Db, profileId: string, fresh: UnsubscribeLink): Promise<string | undefined> =>
  sql<{ link_id: string }>`insert into mail_preferences (profile_id, link_id, token_hash)
    select id, ${fresh.link_id}, ${fresh.token_hash} from profiles where id = ${profileId} for key share
    on conflict (profile_id) do update set profile_id = excluded.profile_id returning link_id`
    .execute(db)
    .then((result) => result.rows[0]?.link_id);

type Choices = Partial<Omit<NotificationChoicesView, "this_device" | "public_key">>;

/**
 * Stores choices; undefined ones stay. Turning mails on stores a new link and invalidates earlier ones. A digest begins
 * with consultations after `now`.
 */
export async function setChoices(
  tx: Tx,
  profileId: string,
  { digest, ...given }: Choices,
  fresh: UnsubscribeLink,
  now: Date,
) {
  await sql`update mail_preferences set link_id = ${fresh.link_id}, token_hash = ${fresh.token_hash}
    where profile_id = ${profileId} and (${given.answers ?? false}::boolean and not answers
      or ${digest ?? false}::boolean and digest_until is null)`.execute(tx);
  const digest_until = digest
    ? sql<Date>`coalesce(mail_preferences.digest_until, ${now})`
    : digest === false
      ? null
      : undefined;
  await tx
    .insertInto("mail_preferences")
    .values({ profile_id: profileId, ...given, digest_until: digest ? now : null, ...fresh })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet({ profile_id: profileId, ...given, digest_until }),
    )
    .execute();
}

/**
 * Turns mails about answers and digests off by a link.
 * @returns true if the link is valid
 */
export const disableMails = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await db
    .updateTable("mail_preferences")
    .set({ answers: false, digest_until: null })
    .where("token_hash", "=", tokenHash)
    .returning("profile_id")
    .executeTakeFirst()) !== undefined;
