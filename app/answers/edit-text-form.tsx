import { href } from "react-router";
import { editDraft } from "#app/lib/drafts.ts";
import { LIMITS } from "#shared/limits.ts";
import { type OwnTextKind, PATH_SEGMENTS } from "./own-text.ts";
import { TextForm } from "./text-form.tsx";

type EditTextFormProps = { kind: OwnTextKind; id: string; value: string; response?: unknown; onSent: () => void };

/** Edits the user's own answer or reply, inline or on its page. */
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
