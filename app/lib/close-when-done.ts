import { useEffect, useRef } from "react";
import type { ErrorBody } from "#shared/errors.ts";

/** Calls `close` after the form was submitted without an error. */
export function useCloseWhenDone(close: (() => void) | undefined, state: string, refused: ErrorBody | null): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== "idle" && state === "idle" && !refused) close?.();
    before.current = state;
  });
}
