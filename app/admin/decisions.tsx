import type { ReactNode } from "react";
import type { ShouldRevalidateFunctionArgs } from "react-router";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { browserErrorMessage } from "#app/lib/error-messages.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { UndoableDecisionView } from "#shared/admin.ts";
import { useDecisionToasts } from "./undo-banners.tsx";

/** Reloads all data after a 409, including the changed row. */
export const reloadAfterConflict = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;

/** A rejected decision: its row, the typed reason and the error. */
export type FailedDecision = { id: string; reason: string; at: number; actionError: DisplayError };

/** True if the decision was rejected because its row had changed. */
export const isConflict = (failed: FailedDecision | null) => failed?.actionError.code === "version_conflict";

/**
 * Shows toasts for new decisions and for a rejected one.
 * @param rows rows of the section, each with its own `VersionConflict`
 * @returns a function that finds the rejected decision about a row, and the message for the top of the section
 */
export function useDecisions(
  actionData: Partial<FailedDecision> | undefined,
  rows: readonly { id: string }[],
  undoable: readonly UndoableDecisionView[] | null = null,
): { failedOf(id: string): FailedDecision | null; refusal: ReactNode } {
  const actionError = useActionErrorToast(actionData);
  const finalWordsOf = useDecisionToasts(undoable);
  const { id = "", reason = "", at = 0 } = actionData ?? {};
  const failed = actionError && { id, reason, at, actionError };
  const onScreen = isConflict(failed) && rows.some((row) => row.id === id);
  return {
    failedOf: (row) => (row === id ? failed : null),
    refusal: onScreen ? (
      <noscript>
        <Refusal actionError={failed!.actionError} to={`#d-${id}`} />
      </noscript>
    ) : (
      failed && <Refusal key={at} actionError={failed.actionError} final={finalWordsOf(id)} />
    ),
  };
}

function Refusal({ actionError, to, final }: { actionError: DisplayError; to?: string; final?: string }) {
  const { title, description } = browserErrorMessage(actionError);
  return (
    <FormMessage title={title}>
      <p>
        {(actionError.code === "undo_too_late" && final) || description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
  );
}

/** Says that the row changed since it was loaded. Receives the focus. */
export function VersionConflict({ failed }: { failed: FailedDecision | null }) {
  if (!failed || !isConflict(failed)) return null;
  const { title, description } = browserErrorMessage(failed.actionError);
  return (
    <FormMessage key={failed.at} title={title}>
      {description}
    </FormMessage>
  );
}
