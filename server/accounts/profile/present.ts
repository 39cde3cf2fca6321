import type { Consent } from "#shared/consents.ts";
import type { UserType } from "#shared/user-types.ts";
import { isPasswordRecent, LIFETIMES, sessionEnd } from "../../sessions/rules.ts";
import type { Session } from "../../sessions/viewer.ts";
import type { OwnProfileRow } from "./store.ts";

// The contract strips the fields that a view does not have.

export const presentOwnProfile = (row: OwnProfileRow) => ({
  ...row,
  user_type: row.user_type as UserType,
  psychologist:
    row.user_type === "psychologist" && row.license_number !== null
      ? {
          ...row,
          license_number: row.license_number,
          is_verified: row.is_verified ?? false,
          was_rejected: row.rejected_at !== null,
          free_responses_used: row.free_responses_used ?? 0,
          max_free_responses: row.max_free_responses ?? 0,
          created_at: row.created_at!,
        }
      : null,
});

type AccountRows = {
  password: { password_changed_at: Date };
  sessions: { id: string; device: string | null; created_at: Date; seen_at: Date; expires_at: Date }[];
  new_email: string | null;
  consents: { kind: Consent; version: string; accepted_at: Date; withdrawn_at: Date | null }[];
  second_factor_since: Date | null;
};

/** Maps an account row to the view for its owner. Omits expired sessions and lists the current one first. */
export const presentAccount = (
  { id, viewer, passwordAt }: Session,
  { password, sessions, new_email, consents, second_factor_since }: AccountRows,
  now: Date,
) => ({
  email: viewer.email,
  new_email,
  password_changed_at: password.password_changed_at,
  second_factor_since,
  reauthenticated_until:
    passwordAt && isPasswordRecent(passwordAt, now) ? new Date(passwordAt.getTime() + LIFETIMES.freshPassword) : null,
  sessions: sessions
    .filter((row) => sessionEnd(row, viewer.is_admin) > now)
    .map((row) => ({ ...row, current: row.id === id })),
  consents,
});
