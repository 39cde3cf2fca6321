import { useEffect, useRef, useState } from "react";
import { useRouteLoaderData } from "react-router";
import { readDraft } from "#app/lib/drafts.ts";
import type { Outcome } from "#app/lib/outcome.ts";
import { FormMessage } from "#app/ui/form-message.tsx";

/**
 * Idempotency key of a form that creates something: the time when the form was rendered. A draft stores it across a
 * reload. A reset generates a new one.
 */
export function PressKey({ draft = null }: { draft?: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const shown = useRouteLoaderData<{ now: string }>("root")?.now ?? "";
  const [key, setKey] = useState(shown);
  useEffect(() => {
    const kept = draft === null ? undefined : readDraft(draft)?.key;
    if (typeof kept === "string") setKey(kept);
    const form = input.current?.form;
    const renew = () => setKey(new Date().toISOString());
    form?.addEventListener("reset", renew);
    return () => form?.removeEventListener("reset", renew);
  }, [draft]);
  return <input ref={input} type="hidden" name="key" value={key} />;
}

export const UNKNOWN_WORDS = "No sabemos si llegó.";
export const CHECKING_WORDS = "Lo estamos comprobando.";

/** Says that the outcome of a submit is unknown. */
export function OutcomeMessage({ outcome }: { outcome: Outcome | null }) {
  if (!outcome) return null;
  return outcome === "checking" ? (
    <FormMessage tone="info" title={`${UNKNOWN_WORDS} ${CHECKING_WORDS}`}>
      Lo que has escrito sigue aquí.
    </FormMessage>
  ) : (
    <FormMessage tone="info" title={UNKNOWN_WORDS}>
      No hay respuesta. Lo que has escrito sigue aquí: envíalo otra vez cuando tengas conexión. Si no lo cambias, cuenta
      una sola vez.
    </FormMessage>
  );
}
