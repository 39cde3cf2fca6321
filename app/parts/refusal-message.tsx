import type { ReactNode } from "react";
import { refusalWords } from "#app/lib/error-words.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { FormMessage } from "#app/ui/form-message.tsx";

/** Error of a failed form. @param result action data; a new timestamp `at` makes screen readers announce it again */
export function RefusalMessage({ result, children }: { result: unknown; children?: ReactNode }) {
  const refused = refusalIn(result);
  if (!refused || refused.told) return null;
  const { title, description } = refusalWords(refused);
  return (
    <FormMessage key={(result as { at?: number }).at} title={title}>
      {children ? <p>{description}</p> : description}
      {children}
    </FormMessage>
  );
}
