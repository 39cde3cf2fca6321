import { z } from "zod";
import { COUNTRIES } from "./countries.ts";
import { LIMITS } from "./limits.ts";
import { normalizeEmail } from "./normalize-email.ts";
import { SPECIALTIES } from "./specialties.ts";
import { oneOf, optional, refineFields, refuse, singleLine, text } from "./text.ts";

/** Parses an email to its delivered spelling (specification, section 5). */
export const emailAddress = z.string("Este dato es necesario.").transform((typed, context) => {
  const { address, problem } = normalizeEmail(typed);
  if (address !== null) return address;
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
});

export const password = z.string("Este dato es necesario.").check(
  refuse((value) => {
    if (value.length === 0) return "Escribe una contraseña.";
    if (!value.isWellFormed() || /[\u0000\ufffd]/.test(value))
      return "La contraseña tiene caracteres que no podemos guardar.";
    return [...value].length > LIMITS.password.max
      ? `La contraseña puede tener como máximo ${LIMITS.password.max} caracteres.`
      : null;
  }),
);

/** A new password, typed twice (`passwordsMatch`). The server also refuses common ones. */
export const newPasswords = {
  password: password.refine(
    (value) => [...value].length >= LIMITS.password.min || value.length === 0,
    `La contraseña necesita al menos ${LIMITS.password.min} caracteres.`,
  ),
  confirm_password: z.string("Repite la contraseña."),
};

export const linkToken = z.string().max(200);

const phoneNumber = singleLine(LIMITS.phone).refine(
  (value) => /^\+?[\d\s().-]+$/.test(value) && value.replace(/\D/g, "").length >= 6,
  "Escribe un número de teléfono, por ejemplo +598 94 231 234.",
);

/** Professional fields of a registration and of a profile. */
export const professionalFields = {
  specialty: optional(oneOf(SPECIALTIES)),
  country: optional(oneOf(COUNTRIES)),
  license_number: optional(singleLine(LIMITS.licence)),
  bio: optional(text(LIMITS.bio)),
  phone: optional(phoneNumber),
  whatsapp: optional(phoneNumber),
};

/** Stored professional data of a psychologist. */
export const ProfessionalView = z.object({
  specialty: z.string().nullable(),
  country: z.string().nullable(),
  license_number: z.string(),
  bio: z.string().nullable(),
  phone: z.string().nullable(),
  whatsapp: z.string().nullable(),
  website: z.string().nullable(),
});

export const passwordsMatch = refineFields(
  ["password", "confirm_password"],
  (input: { password: string; confirm_password: string }, say) => {
    if (input.password !== input.confirm_password) say("confirm_password", "Las contraseñas no coinciden.");
  },
);
