import { useEffect } from "react";
import { useToast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import { errorWords } from "./error-messages.ts";

/** The refusal in what an action answered, or null. */
export const refusalIn = (data: unknown): ErrorBody | null =>
  typeof data === "object" && data !== null && "refused" in data ? (data as { refused: ErrorBody }).refused : null;

/** Says in a toast why an action was refused, once per answer. */
export function useRefusalToast(data: unknown): ErrorBody | null {
  const toast = useToast();
  const refused = refusalIn(data);
  useEffect(() => {
    if (refused) toast({ ...errorWords(refused.code, refused.facts), tone: "error" });
  }, [refused, toast]);
  return refused;
}
