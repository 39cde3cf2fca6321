import type {
  AdminPsychologistView,
  OverdueHelpLineView,
  PendingPsychologistView,
  UndeliveredMailView,
  UndoableDecisionView,
  VerificationView,
} from "#shared/admin.ts";
import type { HelpLine } from "../safety/help-lines.ts";
import type { Versioned } from "../versions.ts";
import { isCheckDue, undoSecondsLeft } from "./rules.ts";
import type { PsychologistRow, UndeliveredRow, UndoableRow, VerificationRow } from "./store.ts";

type Unversioned<View> = Omit<View, "version">;

/** A psychologist who waits for a decision, with all fields that the decision considers. */
const presentApplicant = (row: PsychologistRow): Unversioned<PendingPsychologistView> => ({
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
});

/** A verification covers every field of the card. */
export const APPLICANT: Versioned<PsychologistRow, Unversioned<PendingPsychologistView>> = {
  kind: "psychologist",
  present: presentApplicant,
  ignored: [],
};

/** Further fields of the list of all psychologists. They change often, and no decision considers them. */
export const presentStanding = (row: PsychologistRow, now: Date) =>
  ({
    is_verified: row.is_verified,
    check_due: isCheckDue(row.verified_at, now),
    has_gold: row.gold_until !== null && row.gold_until > now,
    rating: row.rating,
    total_reviews: row.total_reviews,
    total_responses: row.total_responses,
  }) satisfies Partial<AdminPsychologistView>;

export const UNDELIVERED: Versioned<UndeliveredRow, Unversioned<UndeliveredMailView>> = {
  kind: "mail",
  present: (row) => ({ ...row, created_at: row.created_at.toISOString() }),
  ignored: [],
};

/** The verification after a decision. */
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

const DECISIONS: Record<string, UndoableDecisionView["decision"]> = {
  psychologist_approved: "approved",
  licence_checked_again: "checked_again",
  psychologist_rejected: "rejected",
  consultation_deleted: "removed",
};

/** A decision that can still be undone; of a consultation only the title. */
export const presentUndoable = (row: UndoableRow, now: Date): UndoableDecisionView => ({
  id: row.id,
  decision: DECISIONS[row.action]!,
  target_id: row.target_id,
  name: row.name,
  listed_at: row.listed_at.toISOString(),
  seconds_left: undoSecondsLeft(row.created_at, now),
});

/** A help line with what is needed to check it. */
export const presentOverdue = (line: HelpLine): OverdueHelpLineView => ({
  country: line.country,
  name: line.name,
  shown_number: line.shown_number,
  dial_number: line.dial_number,
  hours: line.hours,
  official_url: line.official_url,
  verified_on: line.verified_on,
});
