import type { DecisionHandler } from "./decisions.server.ts";

/** Undoes a decision within `LIMITS.undoSeconds` seconds. */
export const undo: DecisionHandler = async ({ admin }, { id }) => {
  await admin.undo({ id });
  return "decision_undone";
};
