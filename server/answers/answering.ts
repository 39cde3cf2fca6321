import type { AnsweringView } from "#shared/answers.ts";
import type { Db } from "../database/handles.ts";
import { checkoutsInPayment } from "../memberships/checkouts/store.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { answeringState } from "./rules.ts";
import { templateTitlesOf } from "./template-store.ts";

/** Returns what a psychologist may still answer. Without Gold, reads whether a payment for it is unconfirmed. */
export async function answeringOf(db: Db, viewer: Viewer, now: Date): Promise<AnsweringView> {
  const [pending, templates] = await Promise.all([
    viewer.has_gold ? [] : checkoutsInPayment(db, viewer.id, now),
    templateTitlesOf(db, viewer.id),
  ]);
  return { ...answeringState(viewer), payment_pending: pending.length > 0, templates };
}
