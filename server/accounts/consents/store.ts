import { sql } from "kysely";
import type { Consent } from "#shared/consents.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Db, Tx } from "../../database/handles.ts";

/** Stores consents for a version; omits those that are in force for the same version. */
export const giveConsents = (
  db: Db | Tx,
  profileId: string,
  kinds: readonly Consent[],
  version: string,
  acceptedAt: Date,
) =>
  db
    .insertInto("consents")
    .values(kinds.map((kind) => ({ profile_id: profileId, kind, version, accepted_at: acceptedAt })))
    .onConflict((conflict) =>
      conflict.columns(["profile_id", "kind", "version"]).where("withdrawn_at", "is", null).doNothing(),
    )
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
