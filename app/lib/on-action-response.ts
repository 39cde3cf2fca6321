import { useEffect, useRef } from "react";

/** Not an effect with dependencies: React may pass the response to a render whose effects never run. */
export function useOnActionResponse<Answer extends object>(
  answer: Answer | null,
  then: (answer: Answer) => void,
): void {
  const seen = useRef<Answer>(null);
  useEffect(() => {
    if (answer === seen.current) return;
    seen.current = answer;
    if (answer) then(answer);
  });
}

/** Calls `then` once for each successful response of an action. */
export function useOnActionSuccess(answer: unknown, then: () => void): void {
  useOnActionResponse(typeof answer === "object" && answer !== null && "done" in answer ? answer : null, then);
}
