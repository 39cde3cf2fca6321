import { useSubmittingForm } from "#app/lib/submitting.ts";
import type { DecisionIntent } from "./decisions.server.ts";

/** Whether the form with this decision about this row is on its way. */
export function useDeciding(id: string) {
  const submitting = useSubmittingForm();
  return (intent: DecisionIntent) => submitting({ intent, id });
}
