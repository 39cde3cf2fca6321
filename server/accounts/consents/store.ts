import { sql } from "kysely";
import type { Consent } from "#shared/consents.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";

export const insertConsents = (
  tx: Tx,
  profileId: string,
  kinds: readonly Consent[],
  version: string,
  acceptedAt: Date,
) =>
  tx
    .insertInto("consents")
    .values(kinds.map((kind) => ({ profile_id: profileId, kind, version, accepted_at: acceptedAt })))
    .execute();

/** A user's consents, the withdrawn ones too, in the order in which they were given. */
export const consentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom("consents")
    .select(["kind", "version", "accepted_at", "withdrawn_at"])
    .where("profile_id", "=", profileId)
    .orderBy("accepted_at")
    .orderBy("kind")
    .execute();

/** The same, limited to the latest ones of each kind. */
export const latestConsentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("consents")
        .select(["kind", "version", "accepted_at", "withdrawn_at"])
        .select(
          // The one in force ranks first, whatever its date.
          sql<number>`row_number() over (partition by kind order by withdrawn_at is null desc, accepted_at desc)`.as(
            "rank",
          ),
        )
        .where("profile_id", "=", profileId)
        .as("ranked"),
    )
    .select(["kind", "version", "accepted_at", "withdrawn_at"])
    .where("rank", "<=", sql<number>`${LIMITS.consentsShown}`)
    .orderBy("accepted_at")
    .orderBy("kind")
    .execute();

export const withdrawConsent = (db: Db, profileId: string, kind: Consent, now: Date) =>
  db
    .updateTable("consents")
    .set({ withdrawn_at: now })
    .where("profile_id", "=", profileId)
    .where("kind", "=", kind)
    .where("withdrawn_at", "is", null)
    .execute();

/** Records a consent, again or in a newer version; does nothing if it is in force. */
export const giveConsent = (db: Db, profileId: string, kind: Consent, version: string, now: Date) =>
  db
    .insertInto("consents")
    .values({ profile_id: profileId, kind, version, accepted_at: now })
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
    .execute();

type UnsubscribeLink = { link_id: string; token_hash: Buffer };

/** The id that a user's unsubscribe link is derived from; `fresh` is stored if there is none. */
export async function unsubscribeLinkOf(
  db: Db,
  profileId: string,
  fresh: UnsubscribeLink,
): Promise<string | undefined> {
  // Nothing is inserted for a profile that is being deleted.
  await sql`insert into mail_choices (profile_id, link_id, token_hash)
    select id, ${fresh.link_id}, ${fresh.token_hash} from profiles where id = ${profileId} for key share
    on conflict (profile_id) do nothing`.execute(db);
  const row = await db
    .selectFrom("mail_choices")
    .select("link_id")
    .where("profile_id", "=", profileId)
    .executeTakeFirst();
  return row?.link_id;
}

/**
 * Turns mails about answers on or off for all consultations. Turning them on makes a new link, which invalidates earlier
 * ones.
 */
export const putAnswerMails = (db: Db, profileId: string, on: boolean, fresh: UnsubscribeLink) =>
  db
    .insertInto("mail_choices")
    .values({ profile_id: profileId, answers: on, ...fresh })
    .onConflict((conflict) =>
      conflict.column("profile_id").doUpdateSet(on ? { answers: on, ...fresh } : { answers: on }),
    )
    .execute();

/** Turns mails about answers off, by the link. @returns whether the link is valid */
export const stopAnswerMails = async (db: Db, tokenHash: Buffer): Promise<boolean> =>
  (await db
    .updateTable("mail_choices")
    .set({ answers: false })
    .where("token_hash", "=", tokenHash)
    .returning("profile_id")
    .executeTakeFirst()) !== undefined;
