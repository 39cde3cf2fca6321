import { href, useFetcher } from "react-router";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { getActionError } from "#app/lib/action-error.ts";
import { useCloseWhenDone } from "#app/lib/close-when-done.ts";
import { fieldErrorMessage } from "#app/lib/error-messages.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import { type OwnTextKind, PATH_SEGMENTS } from "./own-text.ts";

/** Edits the user's own answer or reply, inline or on its page. */
export function EditTextForm({
  kind,
  id,
  value,
  actionError,
  onSaved,
}: {
  kind: OwnTextKind;
  id: string;
  value: string;
  actionError?: unknown;
  onSaved?: () => void;
}) {
  const fetcher = useFetcher();
  useActionErrorToast(fetcher.data);
  const refusedHere = getActionError(fetcher.data);
  useCloseWhenDone(onSaved, fetcher.state, refusedHere);
  const limit = LIMITS[kind];
  return (
    <fetcher.Form
      noValidate
      method="post"
      action={href(`/${PATH_SEGMENTS[kind]}/:id/editar`, { id })}
      className="stack"
    >
      <TextArea
        id={`editar-${id}`}
        name="content"
        label={kind === "answer" ? "Tu respuesta" : "Tu comentario"}
        hint={kind === "answer" ? "Quien la lea verá que está editada." : "Quien lo lea verá que está editado."}
        required
        minLength={limit.min}
        maxLength={limit.max}
        rows={5}
        defaultValue={value}
        error={fieldErrorMessage("content", refusedHere ?? getActionError(actionError))}
        readOnly={fetcher.state !== "idle"}
      />
      <Button type="submit" small busy={fetcher.state !== "idle"} busyText="Guardando…">
        Guardar cambios
      </Button>
    </fetcher.Form>
  );
}
