import type { VerificationView } from "#shared/moderation.ts";
import type { VerificationRow } from "./store.ts";

/** What a verification became. */
export const presentVerification = ({
  id,
  is_verified,
  verified_at,
  rejected_at,
}: VerificationRow): VerificationView => ({
  id,
  is_verified,
  verified_at: verified_at?.toISOString() ?? null,
  rejected_at: rejected_at?.toISOString() ?? null,
});
