import { TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** Email field. @param autoComplete "username" in the sign-in form, "off" for the email of another person */
export const EmailInput = ({
  label = "Correo electrónico",
  id = "email",
  autoComplete = "email",
  defaultValue,
  hint,
  error,
}: {
  label?: string;
  id?: string;
  autoComplete?: "email" | "username" | "off";
  defaultValue?: string;
  hint?: string;
  error?: string;
}) => (
  <TextInput
    label={label}
    id={id}
    name="email"
    type="email"
    inputMode="email"
    autoComplete={autoComplete}
    autoCapitalize="none"
    spellCheck={false}
    required
    maxLength={LIMITS.email.max}
    defaultValue={defaultValue}
    hint={hint}
    error={error}
  />
);
