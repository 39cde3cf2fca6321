import { errorWords } from "#app/lib/error-messages.ts";
import type { SaidError } from "#app/lib/page-error.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import "./changed.css";

/** A decision that was refused: about what, which one, with the reason as it was typed, and what is wrong. */
export type RefusedDecision = { id: string; intent: string; reason: string; at: number; refused: SaidError };

/** Whether it was refused because something changed. */
export const isChanged = (refused: SaidError | null | undefined): refused is SaidError =>
  refused?.code === "changed_meanwhile";

/** Beside what is shown anew: it changed meanwhile, and what of it did. It takes the focus. */
export function Changed({ refused }: { refused: SaidError }) {
  const { title, description } = errorWords(refused.code, refused.facts);
  return <FormMessage title={title}>{description}</FormMessage>;
}

/** Behind a value that changed while somebody looked. */
export const NewValue = () => <mark className="badge badge--wait new-value">cambió</mark>;
