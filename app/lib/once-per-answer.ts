import { useEffect, useRef } from "react";

/**
 * Calls `then` once for each answer of an action.
 *
 * A fetcher shows its answer also to a rendering that React does without effects, when something else on the page changes
 * at that moment. An effect that depends on the answer may therefore never run; this one runs with every rendering and
 * remembers which answer it has seen.
 */
export function useOncePerAnswer<Answer extends object>(answer: Answer | null, then: (answer: Answer) => void): void {
  const seen = useRef<Answer>(null);
  useEffect(() => {
    if (answer === seen.current) return;
    seen.current = answer;
    if (answer) then(answer);
  });
}

/** Calls `then` once for each answer of an action that says that what was sent is done. */
export function useWhenDone(answer: unknown, then: () => void): void {
  useOncePerAnswer(typeof answer === "object" && answer !== null && "done" in answer ? answer : null, then);
}
