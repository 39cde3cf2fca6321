import { useNavigation } from "react-router";

/** What tells a form from the page's others: the page it is sent to, or fields of it. */
type Which = { action?: string; intent?: string; id?: string; kind?: string; session?: string };

/** Tells which form of the page is being sent. */
export function useSubmittingForm(): (which: Which) => boolean {
  const { state, formMethod, formAction, formData } = useNavigation();
  return ({ action, ...fields }) =>
    state !== "idle" &&
    formMethod === "POST" &&
    (action === undefined || formAction?.split("?")[0] === action) &&
    Object.entries(fields).every(([name, value]) => formData?.get(name) === value);
}

/** Whether a form of the page is being sent: any, or a certain one. */
export const useSubmitting = (which: Which = {}): boolean => useSubmittingForm()(which);
