import { DeletePage, EditPage } from "#app/components/edit-and-delete.tsx";
import { UnsentPage } from "#app/components/unsent.tsx";
import { EditTextForm } from "./edit-text-form.tsx";
import { type OwnText, type OwnTextKind, ownTextPath } from "./own-text.ts";

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
  if (!text) return <UnsentPage actionError={result} text={result?.content ?? ""} />;
  return (
    <EditPage title={kind === "answer" ? "Editar respuesta" : "Editar comentario"} back={ownTextPath(kind, text)}>
      <EditTextForm kind={kind} id={text.id} value={result?.content ?? text.content} actionError={result} />
    </EditPage>
  );
}

/** Page that confirms the deletion of the user's own text. */
export const DeleteOwnText = ({ kind, text, result }: { kind: OwnTextKind; text: OwnText; result: unknown }) => (
  <DeletePage kind={kind} back={ownTextPath(kind, text)} quote={text.content} actionError={result} />
);
