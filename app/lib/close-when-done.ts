import { useEffect, useRef } from "react";
import type { ErrorBody } from "#shared/errors.ts";

/** Closes the `details` around a form once what it sent was done. */
export function useCloseWhenDone(
  form: { current: HTMLFormElement | null },
  state: string,
  refused: ErrorBody | null,
): void {
  const before = useRef(state);
  useEffect(() => {
    if (before.current !== "idle" && state === "idle" && !refused)
      form.current?.closest("details")?.removeAttribute("open");
    before.current = state;
  });
}
