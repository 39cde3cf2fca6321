import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import "./version-conflict.css";

/** A rejected decision: its row, the typed reason and the error. */
export type FailedDecision = { id: string; reason: string; at: number; actionError: DisplayError };

/** True if the decision was rejected because the row had changed. */
export const isVersionConflict = (actionError: DisplayError | null | undefined): actionError is DisplayError =>
  actionError?.code === "version_conflict";

/** Says which fields changed since the row was loaded. Receives the focus. */
export function VersionConflictMessage({ actionError }: { actionError: DisplayError }) {
  const { title, description } = errorMessage(actionError.code, actionError.details);
  return <FormMessage title={title}>{description}</FormMessage>;
}

/** Marks a value that changed since the row was loaded. */
export const ChangedBadge = () => <mark className="badge badge--wait changed-badge">cambió</mark>;
