import { errorWords } from "#app/lib/error-words.ts";
import type { WordedError } from "#app/lib/page-words.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import "./changed.css";

/** A decision that was refused: about what, with the reason as it was typed, and what is wrong. */
export type RefusedDecision = { id: string; reason: string; at: number; refused: WordedError };

/** Whether it was refused because something changed. */
export const isChanged = (refused: WordedError | null | undefined): refused is WordedError =>
  refused?.code === "changed_meanwhile";

/** Beside what is shown anew: it changed meanwhile, and what of it did. It takes the focus. */
export function Changed({ refused }: { refused: WordedError }) {
  const { title, description } = errorWords(refused.code, refused.facts);
  return <FormMessage title={title}>{description}</FormMessage>;
}

/** Behind a value that changed while the admin looked at it. */
export const NewValue = () => <mark className="badge badge--wait new-value">cambió</mark>;
