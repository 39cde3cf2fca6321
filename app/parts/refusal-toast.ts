import { useLocation } from "react-router";
import { useOnActionResponse } from "#app/lib/once-per-answer.ts";
import { type DisplayError, resolveMessage } from "#app/lib/page-words.ts";
import { getActionError } from "#app/lib/refusal.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useToast } from "#app/ui/toast.tsx";

/**
 * Shows a toast with the error of an action, once per response. If sign-in is required, the toast links to it and back.
 * @param place fragment of this page to which sign-in returns
 */
export function useActionErrorToast(data: unknown, place = ""): DisplayError | null {
  const toast = useToast();
  const { pathname, search } = useLocation();
  const actionError = getActionError(data);
  useOnActionResponse(actionError?.told ? null : actionError, (error) => {
    const link = error.code.startsWith("sign_in_to_")
      ? { to: signInPath(pathname + search + place), label: "Iniciar Sesión" }
      : undefined;
    toast({ ...resolveMessage(error), tone: "error", link });
    document.querySelector<HTMLElement>("[aria-invalid]")?.focus();
  });
  return actionError;
}
