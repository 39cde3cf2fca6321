import { errorWords } from "#app/lib/error-words.ts";
import type { WordedError } from "#app/lib/page-words.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import "./changed.css";

/** A rejected decision: its row, the typed reason and the error. */
export type RefusedDecision = { id: string; reason: string; at: number; refused: WordedError };

/** True if the decision was rejected because the row had changed. */
export const isChanged = (refused: WordedError | null | undefined): refused is WordedError =>
  refused?.code === "changed_meanwhile";

/** Says which fields changed since the row was loaded. Receives the focus. */
export function Changed({ refused }: { refused: WordedError }) {
  const { title, description } = errorWords(refused.code, refused.facts);
  return <FormMessage title={title}>{description}</FormMessage>;
}

/** Marks a value that changed since the row was loaded. */
export const NewValue = () => <mark className="badge badge--wait new-value">cambió</mark>;
