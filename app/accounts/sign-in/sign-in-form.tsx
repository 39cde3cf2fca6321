import { Form, Link, useNavigation } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { PasswordInput, TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** What a refused form brings back by field (passwords never travel back), what is wrong with each, and where to go on afterwards. */
export type EntryFormProps = { typed: Record<string, string>; fields: Record<string, string>; returnTo: string };

/** Whether the form of /auth is on its way. */
export function useSending(): boolean {
  const { state, formMethod, formAction } = useNavigation();
  return state !== "idle" && formMethod === "POST" && formAction?.split("?")[0] === "/auth";
}

/** The address one signs in with. */
export function EmailInput({
  typed,
  fields,
  autoComplete,
}: Pick<EntryFormProps, "typed" | "fields"> & { autoComplete: string }) {
  return (
    <TextInput
      label="Correo electrónico"
      id="email"
      name="email"
      type="email"
      inputMode="email"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      required
      maxLength={LIMITS.email.max}
      defaultValue={typed.email}
      error={fields.email}
    />
  );
}

/** E-mail and password (specification, section 2.5). */
export function SignInForm({ typed, fields, returnTo }: EntryFormProps) {
  const sending = useSending();
  return (
    <Form method="post" className="stack stack--page">
      <input type="hidden" name="intent" value="sign_in" />
      <input type="hidden" name="return_to" value={returnTo} />
      <EmailInput typed={typed} fields={fields} autoComplete="username" />
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
        <Link to="/auth/recuperar">¿Has olvidado tu contraseña?</Link>
      </p>
    </Form>
  );
}
