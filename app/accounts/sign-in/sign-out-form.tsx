import type { ReactNode } from "react";
import { ActionForm } from "#app/components/action-form.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";

/** Form that signs this browser out and deletes the drafts in all its tabs. @param fields see `sign-out.ts` */
export function SignOutForm({ fields, children }: { fields?: Record<string, string>; children: ReactNode }) {
  const { signingOut } = useAuth();
  return (
    <ActionForm action="/salir" fields={fields} onSubmit={signingOut}>
      {children}
    </ActionForm>
  );
}
