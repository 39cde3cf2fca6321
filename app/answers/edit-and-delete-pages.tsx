import { DeletePage, EditPage } from "#app/parts/edit-and-delete.tsx";
import { UnsentPage } from "#app/parts/unsent.tsx";
import { EditTextForm } from "./edit-text-form.tsx";
import { type OwnText, type OwnTextKind, placeOf } from "./own-text.ts";

/** Page that edits the user's own text. Without JavaScript it also shows a failed edit. */
export function EditOwnText({
  kind,
  text,
  result,
}: {
  kind: OwnTextKind;
  /** Null if the text was deleted. */
  text: OwnText | null;
  result: { content: string } | undefined;
}) {
  if (!text) return <UnsentPage refused={result} text={result?.content ?? ""} />;
  return (
    <EditPage title={kind === "answer" ? "Editar respuesta" : "Editar comentario"} back={placeOf(kind, text)}>
      <EditTextForm kind={kind} id={text.id} value={result?.content ?? text.content} refused={result} />
    </EditPage>
  );
}

/** Page that confirms the deletion of the user's own text. */
export const DeleteOwnText = ({ kind, text, result }: { kind: OwnTextKind; text: OwnText; result: unknown }) => (
  <DeletePage kind={kind} back={placeOf(kind, text)} quote={text.content} refused={result} />
);
