import { z } from "zod";
import { emailAddress, linkToken, newPasswords, passwordsMatch, professionalFields } from "./account-fields.ts";
import { CONSENTS, CONSENTS_OF, type Consent } from "./consents.ts";
import { licenseError } from "./licences.ts";
import { LIMITS } from "./limits.ts";
import { professionError } from "./names.ts";
import { AcceptedView, operation } from "./operation.ts";
import { EmailInput, TokenInput, ViewerView } from "./sign-in.ts";
import { oneOf, optional, optionalCheckbox, personName, refineFields, singleLine } from "./text.ts";
import { USER_TYPES } from "./user-types.ts";

const CONSENT_NEEDED: Record<Consent, string> = {
  adult_or_guardian: "Necesitamos que confirmes que tienes 18 años o más, o autorización de tu tutor.",
  health_data: "Sin este permiso no podemos guardar lo que escribas sobre tu salud.",
  professional_data: "Sin este permiso no podemos verificar tu matrícula ni publicar tu perfil.",
  transfer_abroad: "Sin este permiso no podemos tratar tus datos fuera de tu país.",
};

const registration = {
  user_type: oneOf(USER_TYPES),
  full_name: personName(LIMITS.name),
  ...newPasswords,
  ...professionalFields,
  adult_or_guardian: optionalCheckbox,
  health_data: optionalCheckbox,
  professional_data: optionalCheckbox,
  transfer_abroad: optionalCheckbox,
};

type Registration = z.infer<z.ZodObject<typeof registration>>;

const rule = <Field extends keyof Registration>(
  fields: readonly Field[],
  check: (input: Pick<Registration, Field>, say: (field: Field, message: string) => void) => void,
) => refineFields(fields, check);

const whole = [
  passwordsMatch,
  ...CONSENTS.map((kind) =>
    rule([kind, "user_type"], (input, say) => {
      if (CONSENTS_OF[input.user_type].includes(kind) && !input[kind]) say(kind, CONSENT_NEEDED[kind]);
    }),
  ),
  rule(["full_name", "user_type"], ({ full_name, user_type }, say) => {
    const problem = professionError(full_name, user_type);
    if (problem) say("full_name", problem);
  }),
  rule(["license_number", "user_type"], ({ license_number, user_type }, say) => {
    if (user_type === "psychologist" && !license_number)
      say("license_number", "Escribe tu número de matrícula o registro profesional.");
  }),
  rule(["license_number", "country"], ({ license_number, country }, say) => {
    const problem = license_number && licenseError(license_number, country);
    if (problem) say("license_number", problem);
  }),
] as const;

/** Registration of a user or a psychologist (specification, section 5). */
export const SignUpInput = z
  .strictObject({
    ...registration,
    email: emailAddress,
    return_to: optional(singleLine({ min: 1, max: LIMITS.returnPath })),
  })
  .check(...whole);

/**
 * In the browser that registered, the link is enough. Another browser sends the whole registration again, because a
 * third party may have filled in the first.
 */
export const ConfirmInput = z.strictObject({ token: linkToken, ...z.object(registration).partial().shape }).superRefine(
  ({ token: _, ...given }, context) => {
    if (Object.values(given).every((value) => value === undefined)) return;
    const { error } = z
      .strictObject(registration)
      .check(...whole)
      .safeParse(given);
    for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path, message });
  },
  // Report missing fields together with invalid ones.
  { when: ({ value }) => value instanceof Object },
);

const PendingConfirmationView = z.object({
  /** Mailbox of the account. The owner must see it if another person's registration sent the link. */
  email: z.string(),
  full_name: z.string(),
  same_browser: z.boolean(),
  /** Fields that another browser may correct; null in the browser that registered. */
  registration: z
    .object({
      user_type: oneOf(USER_TYPES),
      license_number: z.string().optional(),
      specialty: z.string().optional(),
      country: z.string().optional(),
      bio: z.string().optional(),
      phone: z.string().optional(),
      whatsapp: z.string().optional(),
    })
    .nullable(),
});

export const registrationOperations = {
  signUp: operation("POST /registrations", "Register; a mail asks for confirmation", 202)
    .input(SignUpInput)
    .output(AcceptedView),
  resendConfirmation: operation("POST /registrations/mail", "Send the confirmation mail again", 202)
    .input(EmailInput)
    .output(AcceptedView),
  pendingConfirmation: operation("POST /registrations/pending", "Registration of a confirmation link")
    .input(TokenInput)
    .output(PendingConfirmationView),
  confirm: operation("POST /accounts", "Confirm the email and create the account", 201)
    .input(ConfirmInput)
    .output(z.object({ viewer: ViewerView, return_to: z.string() })),
};
