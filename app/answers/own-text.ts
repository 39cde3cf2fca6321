import { href } from "react-router";

/** What kind of text users correct and delete here. */
export type OwnTextKind = "answer" | "reply";

/** What a text is called in addresses. */
export const ADDRESS_WORDS = { answer: "respuesta", reply: "comentario" } as const satisfies Record<
  OwnTextKind,
  string
>;

export type OwnText = { id: string; consultation_id: string; content: string };

/**
 * Where a text stands on the page of its consultation.
 * @param asked the page is asked for that begins with it; otherwise the text is taken to be on the page
 */
export function placeOf(
  kind: OwnTextKind,
  { id, consultation_id }: Pick<OwnText, "id" | "consultation_id">,
  asked = true,
): string {
  const word = ADDRESS_WORDS[kind];
  return `${href("/consulta/:id", { id: consultation_id })}${asked ? `?${word}=${id}` : ""}#${word}-${id}`;
}
