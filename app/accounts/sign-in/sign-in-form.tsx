import { Link } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { EmailInput } from "#app/components/email-input.tsx";
import { PasswordInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** Typed values (never passwords) and errors by field, and the path to return to. */
export type AuthFormProps = { typed: Record<string, string>; fields: Record<string, string>; returnTo: string };

export function SignInForm({ typed, fields, returnTo }: AuthFormProps) {
  return (
    <ActionForm noValidate fields={{ intent: "sign_in", return_to: returnTo }} className="stack stack--page">
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
      <SubmitButton wide busyText="Entrando…">
        Iniciar Sesión
      </SubmitButton>
      <p>
        <Link to="/auth/recuperar">¿Olvidaste tu contraseña?</Link>
      </p>
    </ActionForm>
  );
}
