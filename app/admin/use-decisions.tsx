import type { ReactNode } from "react";
import { FormError, type FormState, useForm } from "#app/components/action-form.tsx";
import { type DisplayError, resolveMessage } from "#app/lib/client-error-messages.ts";
import { FormMessage } from "#app/ui/form-message.tsx";

export type FailedDecision = FormState & { error: DisplayError };

export const isConflict = (failed: FailedDecision | null) => failed?.error.code === "version_conflict";

/** Shows a toast for a rejected decision. Each of the section's `rows` has its own `VersionConflict`. */
export function useDecisions(
  actionData: unknown,
  rows: readonly { id: string }[],
): { failedOf(id: string): FailedDecision | null; refusal: ReactNode } {
  const form = useForm(actionData, { toast: true });
  const { id = "" } = form.typed ?? {};
  const failed = form.error && { ...form, error: form.error };
  const onScreen = isConflict(failed) && rows.some((row) => row.id === id);
  return {
    failedOf: (row) => (row === id ? failed : null),
    refusal: onScreen ? (
      <noscript>
        <Refusal error={failed!.error} to={`#d-${id}`} />
      </noscript>
    ) : (
      failed && <Refusal key={failed.at} error={failed.error} />
    ),
  };
}

function Refusal({ error, to }: { error: DisplayError; to?: string }) {
  const { title, description } = resolveMessage(error);
  return (
    <FormMessage title={title}>
      <p>
        {description} {to && <a href={to}>Ver cómo está ahora</a>}
      </p>
    </FormMessage>
  );
}

/** Says that the row changed since it was loaded. Receives the focus. */
export const VersionConflict = ({ failed }: { failed: FailedDecision | null }) =>
  failed && isConflict(failed) && <FormError form={{ ...failed, error: { ...failed.error, told: false } }} />;
