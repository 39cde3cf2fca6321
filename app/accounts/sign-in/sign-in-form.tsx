import { Form, Link } from "react-router";
import { EmailInput } from "#app/components/email-input.tsx";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { PasswordInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** Typed values (never passwords) and errors by field, and the path to return to. */
export type AuthFormProps = { typed: Record<string, string>; fields: Record<string, string>; returnTo: string };

export function SignInForm({ typed, fields, returnTo }: AuthFormProps) {
  const sending = useSubmitting({ action: "/auth" });
  return (
    <Form noValidate method="post" className="stack stack--page">
      <input type="hidden" name="intent" value="sign_in" />
      <input type="hidden" name="return_to" value={returnTo} />
      <EmailInput autoComplete="username" defaultValue={typed.email} error={fields.email} />
      <PasswordInput
        label="Contraseña"
        id="password"
        name="password"
        autoComplete="current-password"
        required
        maxLength={LIMITS.password.max}
        error={fields.password}
      />
      <Button type="submit" wide busy={sending} busyText="Entrando…">
        Iniciar Sesión
      </Button>
      <p>
        <Link to="/auth/recuperar">¿Olvidaste tu contraseña?</Link>
      </p>
    </Form>
  );
}
