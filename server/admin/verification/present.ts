import type { PendingPsychologistView, VerificationView } from "#shared/admin.ts";
import type { Unversioned, Versioned } from "../../versions.ts";
import type { PsychologistRow, VerificationRow } from "./store.ts";

/** Maps a psychologist who waits for a decision, with all fields that the decision considers. */
const presentPending = (row: PsychologistRow): Unversioned<PendingPsychologistView> => ({
  id: row.id,
  full_name: row.full_name,
  email: row.email,
  avatar_url: row.avatar_url,
  license_number: row.license_number,
  specialty: row.specialty,
  country: row.country,
  bio: row.bio,
  phone: row.phone,
  whatsapp: row.whatsapp,
  created_at: row.created_at.toISOString(),
  verified_at: row.verified_at?.toISOString() ?? null,
  rejected_at: row.rejected_at?.toISOString() ?? null,
  changed_since_check: row.verified_at || row.rejected_at ? null : row.changed_since_check,
});

/** Versioned fields of a verification: all fields of the card. */
export const PSYCHOLOGIST: Versioned<PsychologistRow, Unversioned<PendingPsychologistView>> = {
  kind: "psychologist",
  present: presentPending,
  ignored: [],
};

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
