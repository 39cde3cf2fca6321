import { useSubmittingForm } from "#app/lib/submitting.ts";
import type { DecisionIntent } from "./decisions.server.ts";

/** True while the form of this decision is being submitted. */
export function usePendingDecision(id: string) {
  const submitting = useSubmittingForm();
  return (intent: DecisionIntent) => submitting({ intent, id });
}
