import { useEffect, useRef } from "react";

/** Calls `then` once for each answer of an action that says that what was sent is done. */
export function useWhenDone(answer: unknown, then: () => void): void {
  const latest = useRef(then);
  useEffect(() => {
    latest.current = then;
  });
  const done = typeof answer === "object" && answer !== null && "done" in answer ? answer : null;
  useEffect(() => {
    if (done) latest.current();
  }, [done]);
}
