import type { ComponentProps } from "react";
import { PasswordInput, TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { FormState } from "./action-form.tsx";

type EmailInputProps = Omit<ComponentProps<typeof TextInput>, "label" | "autoComplete"> & {
  label?: string;
  autoComplete?: "email" | "username" | "off";
};

export const EmailInput = (field: EmailInputProps) => (
  <TextInput
    label="Correo electrónico"
    id="email"
    name="email"
    type="email"
    inputMode="email"
    autoComplete="email"
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={LIMITS.email.max}
    {...field}
  />
);

interface CurrentPasswordProps {
  id: string;
  /** True if the user did not enter the password within the last 10 minutes. */
  asks: boolean;
  form: Pick<FormState, "error" | "errors">;
}

/**
 * Inside the form of a sensitive change, so that reauthentication does not lose the other fields. Also appears if the
 * 10 minutes ended while the form was open.
 */
export function CurrentPasswordField({ id, asks, form: { error, errors } }: CurrentPasswordProps) {
  if (!asks && error?.code !== "reauthentication_required") return null;
  return (
    <PasswordInput
      label="Tu contraseña actual"
      id={id}
      name="current_password"
      autoComplete="current-password"
      required
      maxLength={LIMITS.password.max}
      hint="Para este cambio la pedimos otra vez."
      error={errors.current_password}
    />
  );
}

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
