import { PasswordInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** New password and its confirmation. `fields` contains the errors by field name. */
export function NewPasswordFields({
  label = "Contraseña",
  ids: [id, confirmId] = ["password", "confirm_password"],
  fields,
}: {
  label?: string;
  ids?: readonly [string, string];
  fields: Record<string, string> | undefined;
}) {
  return (
    <>
      <PasswordInput
        label={label}
        id={id}
        name="password"
        autoComplete="new-password"
        required
        limit={LIMITS.password}
        hint={`Al menos ${LIMITS.password.min} caracteres, sin tu nombre ni tu correo.`}
        error={fields?.password}
      />
      <PasswordInput
        label="Confirmar contraseña"
        id={confirmId}
        name="confirm_password"
        autoComplete="new-password"
        required
        maxLength={LIMITS.password.max}
        error={fields?.confirm_password}
      />
    </>
  );
}
