import { useNavigation } from "react-router";

/**
 * Whether a form of the page is being sent.
 * @param intent only the form with this intent
 */
export function useSubmitting(intent?: string): boolean {
  const { state, formMethod, formData } = useNavigation();
  const sending = state !== "idle" && formMethod === "POST";
  return sending && (intent === undefined || formData?.get("intent") === intent);
}
