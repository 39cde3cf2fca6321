import type { AccountView } from "#shared/accounts.ts";
import type { Consent } from "#shared/consents.ts";
import type { OwnProfileView } from "#shared/own-profile.ts";
import { isPasswordRecent, LIFETIMES, sessionEnd } from "../../sessions/rules.ts";
import type { Session } from "../../sessions/viewer.ts";
import { lacksCountryCode } from "./phone-rules.ts";
import type { OwnProfileRow } from "./store.ts";

export function presentOwnProfile(row: OwnProfileRow): OwnProfileView {
  const psychologist = row.user_type === "psychologist" && row.license_number !== null;
  return {
    id: row.id,
    full_name: row.full_name,
    email: row.email,
    avatar_url: row.avatar_url,
    user_type: row.user_type as OwnProfileView["user_type"],
    psychologist: psychologist
      ? {
          specialty: row.specialty,
          country: row.country,
          license_number: row.license_number!,
          bio: row.bio,
          phone: row.phone,
          whatsapp: row.whatsapp,
          website: row.website,
          phones_lack_country_code: lacksCountryCode(row.phone) || lacksCountryCode(row.whatsapp),
          is_verified: row.is_verified ?? false,
          was_rejected: row.rejected_at !== null,
          subscription_active: row.subscription_active,
          subscription_id: row.subscription_id,
          free_responses_used: row.free_responses_used ?? 0,
          max_free_responses: row.max_free_responses ?? 0,
          created_at: row.created_at!.toISOString(),
        }
      : null,
  };
}

type AccountRows = {
  password: { password_changed_at: Date };
  sessions: { id: string; device: string | null; created_at: Date; seen_at: Date; expires_at: Date }[];
  new_email: string | null;
  consents: { kind: string; version: string; accepted_at: Date; withdrawn_at: Date | null }[];
  second_factor_since: Date | null;
};

/** Maps an account row to the view for its owner. Omits expired sessions and lists the current one first. */
export const presentAccount = (
  { id, viewer, passwordAt }: Session,
  { password, sessions, new_email, consents, second_factor_since }: AccountRows,
  now: Date,
): AccountView => ({
  email: viewer.email,
  new_email,
  password_changed_at: password.password_changed_at.toISOString(),
  second_factor_since: second_factor_since?.toISOString() ?? null,
  reauthenticated_until:
    passwordAt && isPasswordRecent(passwordAt, now)
      ? new Date(passwordAt.getTime() + LIFETIMES.freshPassword).toISOString()
      : null,
  sessions: sessions
    .filter((row) => sessionEnd(row, viewer.is_admin) > now)
    .map((row) => ({
      id: row.id,
      device: row.device,
      seen_at: row.seen_at.toISOString(),
      current: row.id === id,
    })),
  consents: consents.map((row) => ({
    kind: row.kind as Consent,
    version: row.version,
    accepted_at: row.accepted_at.toISOString(),
    withdrawn_at: row.withdrawn_at?.toISOString() ?? null,
  })),
});
