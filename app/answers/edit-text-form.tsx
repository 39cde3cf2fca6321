import { useRef } from "react";
import { href, useFetcher } from "react-router";
import { ActionForm, SubmitButton, useForm, useOnSaved } from "#app/components/action-form.tsx";
import { deleteDraft, editDraft } from "#app/lib/drafts.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { TextArea } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import { type OwnTextKind, PATH_SEGMENTS } from "./own-text.ts";

/** Edits the user's own answer or reply, inline or on its page. */
export function EditTextForm({
  kind,
  id,
  value,
  response,
  onSaved,
}: {
  kind: OwnTextKind;
  id: string;
  value: string;
  response?: unknown;
  onSaved?: () => void;
}) {
  const fetcher = useFetcher();
  const { errors } = useForm(fetcher.data, { toast: true, main: "content", first: response });
  const form = useRef<HTMLFormElement>(null);
  const draft = editDraft(id);
  useDraft(form, draft);
  useOnSaved(fetcher, () => {
    deleteDraft(draft);
    onSaved?.();
  });
  const limit = LIMITS[kind];
  return (
    <ActionForm
      ref={form}
      fetcher={fetcher}
      noValidate
      action={href(`/${PATH_SEGMENTS[kind]}/:id/editar`, { id })}
      className="stack"
    >
      <TextArea
        id={`editar-${id}`}
        name="content"
        label={kind === "answer" ? "Tu respuesta" : "Tu comentario"}
        hint={kind === "answer" ? "Quien la lea verá que está editada." : "Quien lo lea verá que está editado."}
        required
        limit={limit}
        rows={5}
        defaultValue={value}
        error={errors.content}
        readOnly={fetcher.state !== "idle"}
      />
      <SubmitButton small busyText="Guardando…">
        Guardar cambios
      </SubmitButton>
    </ActionForm>
  );
}
