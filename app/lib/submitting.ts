import { useNavigation } from "react-router";

/** Identifies a form of the page by its action or field values. */
type Which = { action?: string; intent?: string; id?: string; kind?: string; session?: string };

/** Returns a function that is true for the form that is being submitted. */
export function useSubmittingForm(): (which: Which) => boolean {
  const { state, formMethod, formAction, formData } = useNavigation();
  return ({ action, ...fields }) =>
    state !== "idle" &&
    formMethod === "POST" &&
    (action === undefined || formAction?.split("?")[0] === action) &&
    Object.entries(fields).every(([name, value]) => formData?.get(name) === value);
}

/** True while any form, or the given one, is being submitted. */
export const useSubmitting = (which: Which = {}): boolean => useSubmittingForm()(which);
