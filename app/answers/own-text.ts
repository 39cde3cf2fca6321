import { href } from "react-router";
import type { PageContext } from "#app/lib/page-request.server.ts";

export const PATH_SEGMENTS = { answer: "respuesta", reply: "comentario" } as const;

export type OwnTextKind = keyof typeof PATH_SEGMENTS;

export const kindOf = (pathname: string): OwnTextKind => (pathname.startsWith("/respuesta/") ? "answer" : "reply");

export const textOperations = (api: PageContext["api"], pathname: string) =>
  kindOf(pathname) === "answer" ? api.answers : api.replies;

export function ownTextPath(
  kind: OwnTextKind,
  { id, consultation_id }: { id: string; consultation_id: string },
  shown: string | null = null,
): string {
  const word = PATH_SEGMENTS[kind];
  return `${shown ?? `${href("/consulta/:id", { id: consultation_id })}?${word}=${id}`}#${word}-${id}`;
}
