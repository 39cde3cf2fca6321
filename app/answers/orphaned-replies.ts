import { useEffect, useRef } from "react";
import { replyDraft } from "./draft-keys.ts";

/**
 * The keys of the drafts of replies to answers that were on the page and no longer are.
 * @param isWhole these are all answers of the consultation
 */
export function useOrphanedReplies(answers: readonly { id: string }[], isWhole: boolean): string[] {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of answers) seen.current.add(id);
  }, [answers]);
  // In a part of the list an answer may be missing for standing in another one.
  if (!isWhole) return [];
  return [...seen.current].filter((id) => !answers.some((answer) => answer.id === id)).map(replyDraft);
}
