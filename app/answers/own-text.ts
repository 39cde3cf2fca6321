import { href } from "react-router";
import type { PageContext } from "#app/lib/page-request.server.ts";

export type OwnTextKind = "answer" | "reply";

/** Names of the texts in URLs. */
export const PATH_SEGMENTS = { answer: "respuesta", reply: "comentario" } as const satisfies Record<
  OwnTextKind,
  string
>;

/** Returns the kind of the text in the path of its page. */
export const kindOf = (pathname: string): OwnTextKind => (pathname.startsWith("/respuesta/") ? "answer" : "reply");

export const textOperations = (api: PageContext["api"], pathname: string) =>
  kindOf(pathname) === "answer" ? api.answers : api.replies;

export type OwnText = { id: string; consultation_id: string; content: string };

/**
 * Returns the URL of a text on its consultation's page.
 * @param asked true to request the page that starts with it; false if it is on the current page
 */
export function ownTextPath(
  kind: OwnTextKind,
  { id, consultation_id }: Pick<OwnText, "id" | "consultation_id">,
  asked = true,
): string {
  const word = PATH_SEGMENTS[kind];
  return `${href("/consulta/:id", { id: consultation_id })}${asked ? `?${word}=${id}` : ""}#${word}-${id}`;
}
