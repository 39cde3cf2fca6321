import { type ReactNode, useEffect, useRef, useState } from "react";
import { href, useFetcher } from "react-router";
import { ActionForm, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { OutcomeMessage, PressKey, useOutcome, useSentDraft } from "#app/components/press.tsx";
import { deleteDraft, editDraft } from "#app/lib/drafts.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { DialogActions } from "#app/ui/dialog.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { useToast } from "#app/ui/toast.tsx";
import { LIMITS } from "#shared/limits.ts";
import { type OwnTextKind, PATH_SEGMENTS, replyDraft } from "./own-text.ts";

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
  response?: unknown;
  value?: string;
  action: string;
  draft: string;
  label: string;
  hint: string;
  limit: { min: number; max: number };
  button: string;
  busyText?: string;
  sent?: string;
  disabled?: boolean;
  inDialog?: boolean;
  /** `wasLast`: it was the psychologist's last free answer. */
  onSent?: (wasLast: boolean) => void;
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

type EditTextFormProps = { kind: OwnTextKind; id: string; value: string; response?: unknown; onSent: () => void };

export const EditTextForm = ({ kind, id, ...form }: EditTextFormProps) => (
  <TextForm
    {...form}
    action={href(`/${PATH_SEGMENTS[kind]}/:id/editar`, { id })}
    draft={editDraft(id)}
    label={kind === "answer" ? "Tu respuesta" : "Tu comentario"}
    hint={kind === "answer" ? "Quien la lea verá que está editada." : "Quien lo lea verá que está editado."}
    limit={LIMITS[kind]}
    button="Guardar cambios"
    busyText="Guardando…"
    sent="Cambios guardados"
  />
);

export const ReplyForm = ({ answerId, ...form }: { answerId: string; response?: unknown; onSent?: () => void }) => (
  <TextForm
    {...form}
    action={href("/respuesta/:id/comentario", { id: answerId })}
    draft={replyDraft(answerId)}
    label="Tu comentario"
    hint="Se publica como «Usuario»."
    limit={LIMITS.reply}
    button="Enviar"
  />
);
