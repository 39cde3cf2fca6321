import { type ReactNode, useEffect, useRef, useState } from "react";
import { useFetcher } from "react-router";
import { ActionForm, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { OutcomeMessage, PressKey, useOutcome, useSentDraft } from "#app/components/press.tsx";
import { deleteDraft } from "#app/lib/drafts.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { DialogActions } from "#app/ui/dialog.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { useToast } from "#app/ui/toast.tsx";

/** Form with one text field, for new and edited answers and replies. The text survives a reload and an error. */
export function TextForm({
  response,
  value,
  action,
  draft,
  label,
  hint,
  limit,
  button,
  busyText = "Enviando…",
  sent = "¡Respuesta enviada!",
  disabled = false,
  inDialog = false,
  onSent,
  children,
}: {
  /** Response to the form without JavaScript. */
  response?: unknown;
  /** The published text, if it is edited. */
  value?: string;
  action: string;
  draft: string;
  label: string;
  hint: string;
  limit: { min: number; max: number };
  button: string;
  busyText?: string;
  /** Title of the toast. */
  sent?: string;
  disabled?: boolean;
  /** True if the submit button must stay visible in a scrolling dialog. */
  inDialog?: boolean;
  /** `wasLast`: it was the psychologist's last free answer. */
  onSent?: (wasLast: boolean) => void;
  /** Shown below the text. */
  children?: ReactNode;
}) {
  const fetcher = useFetcher<{ wasLast?: boolean }>();
  const { data, outcome, busy: sending } = useOutcome(fetcher);
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  useDraft(form, draft);
  useSentDraft(draft, action, disabled, { submit: fetcher.submit, data });
  const state = useForm(data, { toast: true, main: "content", first: response });
  // Without JavaScript the button must work, so only the script disables it, after it found the field empty.
  const [empty, setEmpty] = useState(false);
  useEffect(() => setEmpty(!form.current?.querySelector("textarea")?.value.trim()), []);
  useOnActionSuccess(data, () => {
    deleteDraft(draft);
    form.current?.reset();
    setEmpty(true);
    form.current?.closest("details")?.removeAttribute("open");
    toast({ title: sent });
    onSent?.(data?.wasLast === true);
  });
  const send = (
    <SubmitButton busy={sending} busyText={outcome ? "Comprobando…" : busyText} disabled={disabled || empty}>
      {button}
    </SubmitButton>
  );
  return (
    <ActionForm ref={form} fetcher={fetcher} action={action} className="stack">
      <TextArea
        id={`${draft.replace(/[^\w-]/g, "-")}-content`}
        label={label}
        hint={hint}
        required
        limit={limit}
        rows={5}
        {...fieldOf(state, "content", value)}
        disabled={disabled}
        // The reset after the submit would delete newly typed text.
        readOnly={sending}
        onInput={(event) => setEmpty(!event.currentTarget.value.trim())}
      />
      {children}
      <PressKey draft={draft} />
      <OutcomeMessage outcome={outcome} />
      {inDialog ? <DialogActions>{send}</DialogActions> : send}
    </ActionForm>
  );
}
