import { useEffect, useRef, useState } from "react";
import type { SubmitOptions } from "react-router";
import { checkboxValue } from "./checkbox-field.ts";
import { keepDraft, readDraft } from "./drafts.ts";
import { useOncePerAnswer } from "./once-per-answer.ts";
import { refusalIn } from "./refusal.ts";

/** Whether what was sent has arrived: it is being checked, or no check got a response. */
export type Outcome = "checking" | "unknown";

/** Pauses before the checks of an unknown outcome, in milliseconds. */
const PAUSES_MS = [1000, 3000, 6000, 12_000];

type Sending<Data> = {
  state: "idle" | "loading" | "submitting";
  formData?: FormData | undefined;
  formAction?: string | undefined;
  data: Data;
  submit: (fields: FormData, options: SubmitOptions) => unknown;
};

/**
 * Repeats what a form has sent while its outcome is unknown. The server counts a repetition once, so it is the check.
 * @returns the data of the action, without a refusal that only says that no response came
 */
export function useOutcome<Data>({ state, formData, formAction, data, submit }: Sending<Data>) {
  const sent = useRef<{ fields: FormData; action: string | undefined }>(null);
  /** Whether the outcome of an earlier request of this press is unknown. */
  const doubt = useRef(false);
  const [online, setOnline] = useState(true);
  const [checks, setChecks] = useState(0);
  const lost = refusalIn(data)?.lost;
  const unknown = lost !== undefined && ((lost && online) || doubt.current);
  const outcome: Outcome | null = !unknown
    ? null
    : state !== "idle" || checks < PAUSES_MS.length
      ? "checking"
      : "unknown";
  useEffect(() => {
    doubt.current = unknown;
    if (!unknown) setChecks(0);
  }, [unknown]);
  useEffect(() => {
    if (!formData) return;
    sent.current = { fields: formData, action: formAction };
    if (doubt.current) setChecks((done) => done + 1);
    // Without a network nothing is sent.
    else setOnline(navigator.onLine);
  }, [formData, formAction]);
  useEffect(() => {
    if (!unknown || state !== "idle") return;
    const check = () => {
      if (!sent.current || !navigator.onLine) return;
      submit(sent.current.fields, { method: "post", action: sent.current.action });
    };
    const timer = checks < PAUSES_MS.length ? setTimeout(check, PAUSES_MS[checks]) : undefined;
    addEventListener("online", check);
    return () => {
      clearTimeout(timer);
      removeEventListener("online", check);
    };
  }, [unknown, state, checks, submit]);
  return {
    data: unknown ? null : data,
    outcome,
    /** It is being sent or checked. */
    busy: state !== "idle" || outcome === "checking",
    /** The fields on their way. */
    fields: formData ?? (outcome === "checking" ? sent.current?.fields : undefined),
  };
}

/**
 * Sends the draft of this tab again if it was sent before: that is the check after a reload.
 * @param when true if the limit is reached, so that only a repetition can succeed
 */
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
  useOncePerAnswer(when ? refusalIn(data) : null, () => keepDraft(draft, { ...readDraft(draft), sent: false }));
}
