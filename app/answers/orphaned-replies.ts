import { useEffect, useRef } from "react";

/** The keys of replies that were being written to answers which were on the page and are there no more. */
export function useOrphanedReplies(answers: readonly { id: string }[], isWhole: boolean): string[] {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    for (const { id } of answers) seen.current.add(id);
  }, [answers]);
  // In a part of the list an answer may be missing for standing in another one.
  if (!isWhole) return [];
  return [...seen.current].filter((id) => !answers.some((answer) => answer.id === id)).map((id) => `reply:${id}`);
}
