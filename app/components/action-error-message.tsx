import type { ReactNode } from "react";
import { getActionError } from "#app/lib/action-error.ts";
import { browserErrorMessage } from "#app/lib/error-messages.ts";
import { FormMessage } from "#app/ui/form-message.tsx";

/** Error of a failed form. @param result action data; a new timestamp `at` makes screen readers announce it again */
export function ActionErrorMessage({ result, children }: { result: unknown; children?: ReactNode }) {
  const actionError = getActionError(result);
  if (!actionError || actionError.told) return null;
  const { title, description } = browserErrorMessage(actionError);
  return (
    <FormMessage key={(result as { at?: number }).at} title={title}>
      {children ? <p>{description}</p> : description}
      {children}
    </FormMessage>
  );
}
