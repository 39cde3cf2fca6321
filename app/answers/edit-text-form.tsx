import { href, useFetcher } from "react-router";
import { useCloseWhenDone } from "#app/lib/close-when-done.ts";
import { messageBeside } from "#app/lib/error-words.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import { ADDRESS_WORDS, type OwnTextKind } from "./own-text.ts";

/** Edits the user's own answer or reply, inline or on its page. */
export function EditTextForm({
  kind,
  id,
  value,
  refused,
  onSaved,
}: {
  kind: OwnTextKind;
  id: string;
  value: string;
  refused?: unknown;
  onSaved?: () => void;
}) {
  const fetcher = useFetcher();
  useRefusalToast(fetcher.data);
  const refusedHere = refusalIn(fetcher.data);
  useCloseWhenDone(onSaved, fetcher.state, refusedHere);
  const limit = LIMITS[kind];
  return (
    <fetcher.Form
      noValidate
      method="post"
      action={href(`/${ADDRESS_WORDS[kind]}/:id/editar`, { id })}
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
        error={messageBeside("content", refusedHere ?? refusalIn(refused))}
        readOnly={fetcher.state !== "idle"}
      />
      <Button type="submit" small busy={fetcher.state !== "idle"} busyText="Guardando…">
        Guardar cambios
      </Button>
    </fetcher.Form>
  );
}
