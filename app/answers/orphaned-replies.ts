import { useEffect, useRef } from "react";
import { replyDraft } from "./draft-keys.ts";

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
