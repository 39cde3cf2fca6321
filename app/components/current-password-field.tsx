import { PasswordInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** Password field inside the form of a sensitive change, so that reauthentication does not lose the other fields. */
export function CurrentPasswordField({ id, error }: { id: string; error?: string }) {
  return (
    <PasswordInput
      label="Tu contraseña actual"
      id={id}
      name="current_password"
      autoComplete="current-password"
      required
      maxLength={LIMITS.password.max}
      hint="Para este cambio la pedimos otra vez."
      error={error}
    />
  );
}
