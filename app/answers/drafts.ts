import { useEffect, useRef } from "react";

/* The keys of the drafts of answers and replies (`app/lib/drafts.ts`). */

export const answerDraft = (consultationId: string) => `answer:${consultationId}`;

export const REPLY_DRAFTS = "reply:";

export const replyDraft = (answerId: string) => `${REPLY_DRAFTS}${answerId}`;

/**
 * Returns the draft keys of replies whose answer disappeared from the page.
 * @param isWhole true if the page contains all answers of the consultation
 */
export function useOrphanedReplies(answers: readonly { id: string }[], isWhole: boolean): string[] {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of answers) seen.current.add(id);
  }, [answers]);
  // An answer may be on another page of the list.
  if (!isWhole) return [];
  return [...seen.current].filter((id) => !answers.some((answer) => answer.id === id)).map(replyDraft);
}
