import { TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/**
 * A mail address.
 * @param autoComplete "username" where one signs in with it, "off" where it is that of another person
 */
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
