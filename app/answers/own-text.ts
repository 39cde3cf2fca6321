import { useEffect, useRef } from "react";
import { href, useLocation } from "react-router";
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

export const answerDraft = (consultationId: string) => `answer:${consultationId}`;

export const REPLY_DRAFTS = "reply:";

export const replyDraft = (answerId: string) => `${REPLY_DRAFTS}${answerId}`;

/** Returns the draft keys of replies whose answer was deleted or moved to a further page since the page was opened. */
export function useOrphanedReplies(answers: readonly { id: string }[]): string[] {
  const { key } = useLocation();
  const seen = useRef({ key, ids: new Set<string>() });
  useEffect(() => {
    if (seen.current.key !== key) seen.current = { key, ids: new Set() };
    for (const { id } of answers) seen.current.ids.add(id);
  }, [key, answers]);
  if (seen.current.key !== key) return [];
  return [...seen.current.ids].filter((id) => !answers.some((answer) => answer.id === id)).map(replyDraft);
}
