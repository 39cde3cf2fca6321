import type { Decide } from "./decisions.server.ts";

/** Undoes a decision within `LIMITS.undoSeconds` seconds. */
export const undo: Decide = async ({ admin }, { id }) => {
  await admin.undo({ id });
  return "decision_undone";
};
