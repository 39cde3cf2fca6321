import { useNavigation } from "react-router";

/** Whether the form with this decision about this row is on its way. */
export function useDeciding(id: string) {
  const { state, formData, formMethod } = useNavigation();
  return (intent: string) =>
    state !== "idle" && formMethod === "POST" && formData?.get("id") === id && formData.get("intent") === intent;
}
