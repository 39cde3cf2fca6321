import { useNavigation } from "react-router";
import type { DecisionIntent } from "./decisions.server.ts";

/** Whether the form with this decision about this row is on its way. */
export function useDeciding(id: string) {
  const { state, formData, formMethod } = useNavigation();
  return (intent: DecisionIntent) =>
    state !== "idle" && formMethod === "POST" && formData?.get("id") === id && formData.get("intent") === intent;
}
