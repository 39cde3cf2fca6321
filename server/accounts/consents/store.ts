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

export const latestConsentsOf = (db: Db, profileId: string) =>
  db
    .selectFrom((from) =>
      from
        .selectFrom("consents")
        .select(["kind", "version", "accepted_at", "withdrawn_at"])
        .select(
          // The consent in force ranks first, even before a later date.
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
    .$narrowType<{ kind: Consent }>()
    .execute();

export const withdrawConsent = (db: Db, profileId: string, kind: Consent, now: Date) =>
  db
    .updateTable("consents")
    .set({ withdrawn_at: now })
    .where("profile_id", "=", profileId)
    .where("kind", "=", kind)
    .where("withdrawn_at", "is", null)
    .execute();

/** Stores a consent for a version; does nothing if the same version is in force. */
export const giveConsent = (db: Db, profileId: string, kind: Consent, version: string, now: Date) =>
  db
    .insertInto("consents")
    .values({ profile_id: profileId, kind, version, accepted_at: now })
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
    .execute();
