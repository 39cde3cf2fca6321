import type { AnsweringView, PsychologistCardView } from "#shared/answers.ts";
import type { Db } from "../database/handles.ts";
import { checkoutsInPayment } from "../memberships/checkouts/store.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { answeringState } from "./rules.ts";
import { templateTitlesOf } from "./store.ts";

/** Adapts a row with a psychologist's card. The contract strips its other columns. */
export const presentPsychologistCard = <Row extends Omit<PsychologistCardView, "id">>(id: string, row: Row) => ({
  ...row,
  id,
  // "Otra" carries no information.
  specialty: row.specialty === "Otra" ? null : row.specialty,
});

/** Returns what a psychologist may still answer. Without Gold, reads whether a payment for it is unconfirmed. */
export async function answeringOf(db: Db, viewer: Viewer, now: Date): Promise<AnsweringView> {
  const [pending, templates] = await Promise.all([
    viewer.has_gold ? [] : checkoutsInPayment(db, viewer.id, now),
    templateTitlesOf(db, viewer.id),
  ]);
  return { ...answeringState(viewer), payment_pending: pending.length > 0, templates };
}
