import { useEffect } from "react";
import { useToast } from "#app/ui/toast.tsx";
import { type SaidError, wordsOf } from "./page-error.ts";

/** The refusal in what an action answered, or null. */
export const refusalIn = (data: unknown): SaidError | null =>
  typeof data === "object" && data !== null && "refused" in data ? (data as { refused: SaidError }).refused : null;

/** Says in a toast why an action was refused, once per answer. */
export function useRefusalToast(data: unknown): SaidError | null {
  const toast = useToast();
  const refused = refusalIn(data);
  useEffect(() => {
    if (refused) toast({ ...wordsOf(refused), tone: "error" });
  }, [refused, toast]);
  return refused;
}
