import { useEffect, useRef } from "react";
import { useLocation } from "react-router";

/* The keys of the drafts of answers and replies (`app/lib/drafts.ts`). */

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
