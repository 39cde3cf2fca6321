import { DeletePage, EditPage } from "#app/parts/edit-and-delete.tsx";
import { UnsentPage } from "#app/parts/unsent.tsx";
import { EditTextForm } from "./edit-text-form.tsx";
import { type OwnText, type OwnTextKind, placeOf } from "./own-text.ts";

/** Correcting one's own text on a page of its own: where a refused correction lands without JavaScript, with its text. */
export function EditOwnText({
  kind,
  text,
  result,
}: {
  kind: OwnTextKind;
  /** Null when it is gone. */
  text: OwnText | null;
  /** What the action returned. */
  result: { content: string } | undefined;
}) {
  if (!text) return <UnsentPage refused={result} text={result?.content ?? ""} />;
  return (
    <EditPage title={kind === "answer" ? "Editar respuesta" : "Editar comentario"} back={placeOf(kind, text)}>
      <EditTextForm kind={kind} id={text.id} value={result?.content ?? text.content} refused={result} />
    </EditPage>
  );
}

/** Asks whether to delete one's own text, on a page of its own. */
export const DeleteOwnText = ({ kind, text, result }: { kind: OwnTextKind; text: OwnText; result: unknown }) => (
  <DeletePage kind={kind} back={placeOf(kind, text)} quote={text.content} refused={result} />
);
