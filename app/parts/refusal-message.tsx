import type { ReactNode } from "react";
import { refusalWords } from "#app/lib/error-words.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { FormMessage } from "#app/ui/form-message.tsx";

/**
 * Why a form was refused, beside it; nothing where it was not.
 * @param result what the action returned: with `at`, each refusal is announced anew
 */
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
