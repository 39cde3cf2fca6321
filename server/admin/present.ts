import type { UndoableDecisionView } from "#shared/admin.ts";
import { type DecisionAction, undoSecondsLeft } from "./rules.ts";
import type { UndoableRow } from "./store.ts";

const DECISIONS: Record<DecisionAction, UndoableDecisionView["decision"]> = {
  psychologist_approved: "approved",
  licence_checked_again: "checked_again",
  psychologist_rejected: "rejected",
  consultation_deleted: "removed",
};

/** Maps a decision that can be undone; shows only the title of a consultation. */
export const presentUndoable = (row: UndoableRow, now: Date): UndoableDecisionView => ({
  id: row.id,
  decision: DECISIONS[row.action],
  target_id: row.target_id,
  name: row.name,
  listed_at: row.listed_at.toISOString(),
  seconds_left: undoSecondsLeft(row.created_at, now),
});
