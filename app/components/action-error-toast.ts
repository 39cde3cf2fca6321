import { useLocation } from "react-router";
import { getActionError } from "#app/lib/action-error.ts";
import { type DisplayError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { useOnActionResponse } from "#app/lib/on-action-response.ts";
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
