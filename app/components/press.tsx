import { useContext, useEffect, useRef, useState } from "react";
import type { FetcherWithComponents } from "react-router";
import { checkboxValue } from "#app/lib/checkbox-field.ts";
import { getActionError } from "#app/lib/client-error-messages.ts";
import { readDraft, saveDraft } from "#app/lib/drafts.ts";
import { useOnActionResponse } from "#app/lib/on-action-response.ts";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Now } from "#app/ui/relative-time.tsx";

/** Idempotency key of a form: the time of its rendering. A draft stores it across a reload. A reset renews it. */
export function PressKey({ draft = null }: { draft?: string | null }) {
  const input = useRef<HTMLInputElement>(null);
  const [key, setKey] = useState(useContext(Now));
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
  const checking = outcome === "checking";
  return (
    <FormMessage tone="info" title={checking ? `${UNKNOWN_WORDS} ${CHECKING_WORDS}` : UNKNOWN_WORDS}>
      {checking
        ? "Lo que has escrito sigue aquí."
        : "No hay respuesta. Lo que has escrito sigue aquí: envíalo otra vez cuando tengas conexión. Si no lo cambias, cuenta una sola vez."}
    </FormMessage>
  );
}

export type Outcome = "checking" | "unknown";

/** Delays before the checks, in milliseconds. */
const PAUSES_MS = [1000, 3000, 6000, 12_000];

type Sending<Data> = Pick<FetcherWithComponents<unknown>, "state" | "formData" | "formAction" | "submit"> & {
  data: Data;
};

/** Repeats a submit while its outcome is unknown: the server processes a repetition only once. */
export function useOutcome<Data>({ state, formData, formAction, data, submit }: Sending<Data>) {
  const sent = useRef<{ fields: FormData; action: string | undefined }>(null);
  useEffect(() => {
    if (formData) sent.current = { fields: formData, action: formAction };
  }, [formData, formAction]);
  const [checks, setChecks] = useState<number | null>(null);
  const lost = getActionError(data)?.lost;
  // A repetition that did not reach the server says nothing about the first request.
  const unknown = lost === true || (lost === false && checks !== null);
  useEffect(() => setChecks((before) => (unknown ? (before ?? 0) : null)), [unknown]);
  const pause = PAUSES_MS[checks ?? 0];
  useEffect(() => {
    if (!unknown || state !== "idle") return;
    const check = () => {
      if (!sent.current || !navigator.onLine) return;
      setChecks((before) => (before ?? 0) + 1);
      submit(sent.current.fields, { method: "post", action: sent.current.action });
    };
    const timer = pause === undefined ? undefined : setTimeout(check, pause);
    addEventListener("online", check);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", check);
    };
  }, [unknown, state, pause, submit]);
  const checking = unknown && (state !== "idle" || pause !== undefined);
  const outcome: Outcome | null = checking ? "checking" : unknown ? "unknown" : null;
  return {
    data: unknown ? null : data,
    outcome,
    busy: state !== "idle" || checking,
    fields: formData ?? (checking ? sent.current?.fields : undefined),
  };
}

/** Repeats a sent draft after a reload. @param when true if the limit is reached: only a repetition can succeed */
export function useSentDraft(
  draft: string,
  action: string,
  when: boolean,
  { submit, data }: Pick<Sending<unknown>, "submit" | "data">,
): void {
  useEffect(() => {
    const kept = when ? readDraft(draft) : null;
    if (!kept?.sent || !kept.key) return;
    const { sent: _sent, ...values } = kept;
    const fields = new FormData();
    for (const [name, value] of Object.entries(values))
      if (value) fields.set(name, value === true ? checkboxValue(value) : value);
    submit(fields, { method: "post", action });
  }, [draft, action, when, submit]);
  useOnActionResponse(when ? getActionError(data) : null, () => saveDraft(draft, { ...readDraft(draft), sent: false }));
}
