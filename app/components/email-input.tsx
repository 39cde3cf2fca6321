import type { ComponentProps } from "react";
import { TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";

/** Email field. @param autoComplete "username" in the sign-in form, "off" for the email of another person */
type EmailInputProps = Omit<ComponentProps<typeof TextInput>, "label" | "autoComplete"> & {
  label?: string;
  autoComplete?: "email" | "username" | "off";
};

export const EmailInput = ({
  label = "Correo electrónico",
  id = "email",
  autoComplete = "email",
  ...field
}: EmailInputProps) => (
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
    {...field}
  />
);
