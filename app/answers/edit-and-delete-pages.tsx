import { href } from "react-router";
import { DeletePage, EditPage, EditTextForm } from "#app/parts/edit-and-delete.tsx";
import { UnsentPage } from "#app/parts/unsent.tsx";

/** What kind of text these pages correct or delete. */
export type OwnTextKind = "answer" | "reply";

type OwnText = { id: string; consultation_id: string; content: string };

/**
 * Where a text stands on the page of its consultation.
 * @param asked the page is asked for that begins with it; otherwise the text is taken to be on the page
 */
export function placeOf(
  kind: OwnTextKind,
  { id, consultation_id }: Pick<OwnText, "id" | "consultation_id">,
  asked = true,
): string {
  const place = kind === "answer" ? "respuesta" : "comentario";
  return `${href("/consulta/:id", { id: consultation_id })}${asked ? `?${place}=${id}` : ""}#${place}-${id}`;
}

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
