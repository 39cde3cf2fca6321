import { z } from "zod";
import { deliveredAddress } from "./delivered-address.ts";
import { licenceProblem } from "./licences.ts";
import { LIMITS } from "./limits.ts";
import { CONSENTS, COUNTRIES, SPECIALTIES, USER_TYPES } from "./lists.ts";
import { professionProblem } from "./names.ts";
import { acrossFields, id, line, moment, nameLine, oneOf, optional, personName, text } from "./text.ts";

/** A mail address, read as the mailbox that it leads to (specification, section 5). */
export const emailAddress = z.string("Este dato es necesario.").transform((typed, context) => {
  const { address, problem } = deliveredAddress(typed);
  if (address !== null) return address;
  context.addIssue({ code: "custom", message: problem });
  return z.NEVER;
});

/** Passwords are compared as typed; length in code points, no composition rules. */
const password = z.string("Este dato es necesario.").superRefine((value, context) => {
  const length = [...value].length;
  const problem =
    length === 0
      ? "Escribe una contraseña."
      : !value.isWellFormed() || value.includes("\u0000")
        ? "La contraseña tiene caracteres que no podemos guardar."
        : length > LIMITS.password.max
          ? `La contraseña puede tener como máximo ${LIMITS.password.max} caracteres.`
          : null;
  if (problem) context.addIssue({ code: "custom", message: problem });
});

const newPassword = password.refine(
  (value) => [...value].length >= LIMITS.password.min || value.length === 0,
  `La contraseña necesita al menos ${LIMITS.password.min} caracteres.`,
);

const ticked = (message: string) =>
  z.preprocess(
    (value) => value === true || value === "on" || value === "true",
    z.boolean().refine((value) => value, message),
  );

const phoneNumber = line(LIMITS.phone).refine(
  (value) => /^\+?[\d\s().-]+$/.test(value) && value.replace(/\D/g, "").length >= 6,
  "Escribe un número de teléfono, por ejemplo +598 94 231 234.",
);

const consents = {
  [CONSENTS[0]]: ticked("Necesitamos que confirmes que tienes 18 años o más, o autorización de tu tutor."),
  [CONSENTS[1]]: ticked("Sin este permiso no podemos guardar lo que escribas sobre tu salud."),
  [CONSENTS[2]]: ticked("Sin este permiso no podemos tratar tus datos fuera de tu país."),
} as const;

/** The fields of a new account, besides the address. */
const registration = {
  user_type: oneOf(USER_TYPES),
  full_name: personName(LIMITS.name),
  password: newPassword,
  confirm_password: z.string("Repite la contraseña."),
  license_number: optional(line(LIMITS.licence)),
  specialty: optional(oneOf(SPECIALTIES)),
  country: optional(oneOf(COUNTRIES)),
  bio: optional(text(LIMITS.bio)),
  phone: optional(phoneNumber),
  whatsapp: optional(phoneNumber),
  ...consents,
};

const samePasswords = acrossFields(
  ["password", "confirm_password"],
  (input: { password: string; confirm_password: string }, say) => {
    if (input.password !== input.confirm_password) say("confirm_password", "Las contraseñas no coinciden.");
  },
);
type Registration = z.infer<z.ZodObject<typeof registration>>;
const whole = [
  samePasswords,
  acrossFields(
    ["full_name", "user_type"],
    ({ full_name, user_type }: Pick<Registration, "full_name" | "user_type">, say) => {
      const problem = professionProblem(full_name, user_type);
      if (problem) say("full_name", problem);
    },
  ),
  acrossFields(
    ["license_number", "user_type"],
    ({ license_number, user_type }: Pick<Registration, "license_number" | "user_type">, say) => {
      if (user_type === "psychologist" && !license_number)
        say("license_number", "Escribe tu número de matrícula o registro profesional.");
    },
  ),
  acrossFields(
    ["license_number", "country"],
    ({ license_number, country }: Pick<Registration, "license_number" | "country">, say) => {
      const problem = license_number && licenceProblem(license_number, country);
      if (problem) say("license_number", problem);
    },
  ),
] as const;

/** Registration of a user or a psychologist (specification, section 5). */
export const SignUpInput = z
  .strictObject({ ...registration, email: emailAddress, return_to: optional(line({ min: 1, max: 500 })) })
  .check(...whole);

export const SignInInput = z.strictObject({ email: emailAddress, password });

export const EmailInput = z.strictObject({ email: emailAddress });

export const TokenInput = z.strictObject({ token: z.string().max(200) });

/**
 * In the browser that registered, the link is enough; any other sends the whole registration again, since another person
 * may have filled in the first.
 */
export const ConfirmInput = z
  .strictObject({ token: z.string().max(200), ...z.object(registration).partial().shape })
  .superRefine(
    ({ token: _, ...given }, context) => {
      if (Object.values(given).every((value) => value === undefined)) return;
      const { error } = z
        .strictObject(registration)
        .check(...whole)
        .safeParse(given);
      for (const { path, message } of error?.issues ?? []) context.addIssue({ code: "custom", path, message });
    },
    // Where fields are wrong, those that are missing are told with them.
    { when: ({ value }) => value instanceof Object },
  );

export const NewPasswordInput = z
  .strictObject({
    token: z.string().max(200),
    password: newPassword,
    confirm_password: z.string("Repite la contraseña."),
  })
  .check(samePasswords);

export const PasswordInput = z.strictObject({ password });

export const ChangePasswordInput = z
  .strictObject({ password: newPassword, confirm_password: z.string("Repite la contraseña.") })
  .check(samePasswords);

export const SignOutInput = z.strictObject({
  scope: oneOf(["this", "others", "all"]).default("this"),
  /** Removes this browser from the account's known devices. */
  forget_device: z.boolean().default(false),
});

/** The viewer, as the interface needs it. It is only sent to themselves. */
export const ViewerView = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  user_type: oneOf(USER_TYPES),
  is_admin: z.boolean(),
  is_verified: z.boolean(),
  /** Gold in force at this moment. */
  has_gold: z.boolean(),
  /** A code of the second factor was given in this session. */
  second_factor: z.boolean(),
  /** Whether mails about answers are on. */
  answer_mails: z.boolean(),
  /** New answers to the user's consultations that were not shown in their list. */
  new_answers: z.number(),
});
export type ViewerView = z.infer<typeof ViewerView>;

/** What a browser may know of its session (specification, section 3.2); the session id is in an HttpOnly cookie. */
export const SessionView = z.object({
  user: ViewerView.nullable(),
  /** Whole seconds until the session ends unless it is renewed. */
  expires_in: z.number().nullable(),
  expires_at: moment.nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

/** After the right password: signed in, or a code of the second factor is required. */
export const SignedInView = SessionView.extend({ second_factor_required: z.boolean() });

/** The same response for addresses with and without an account. */
export const AcceptedView = z.object({ accepted: z.literal(true) });

export const PendingConfirmationView = z.object({
  /** The mailbox that the account belongs to: who got the link of another person's registration must see it. */
  email: z.string(),
  full_name: z.string(),
  same_browser: z.boolean(),
  /** The fields that a browser which did not register may correct; null in the one that did. */
  registration: z
    .object({
      user_type: oneOf(USER_TYPES),
      license_number: z.string().nullable(),
      specialty: z.string().nullable(),
      country: z.string().nullable(),
      bio: z.string().nullable(),
      phone: z.string().nullable(),
      whatsapp: z.string().nullable(),
    })
    .nullable(),
});
export type PendingConfirmationView = z.infer<typeof PendingConfirmationView>;

export const ConfirmedView = z.object({ viewer: ViewerView, return_to: z.string() });

/** The site of a psychologist: http or https, on a name of the public network, without a user's name or password in it. */
export const website = line({ min: 1, max: LIMITS.website.max }).transform((value, context) => {
  // Without a scheme nothing before the first slash may look like one.
  const typed = /^https?:\/\//i.test(value) ? value : /^[^/:]+(\/|$)/.test(value) ? `https://${value}` : "";
  const parsed = /^https?:\/\/[^/]/i.test(typed) && !/[\s\p{C}<>"'`\\^{|}@]/u.test(typed) ? URL.parse(typed) : null;
  const named =
    parsed && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(parsed.hostname) && parsed.href.length <= 3 * LIMITS.website.max;
  if (named) return parsed.href;
  context.addIssue({ code: "custom", message: "Escribe la dirección de tu sitio, por ejemplo https://tusitio.com." });
  return z.NEVER;
});

/** The user's own profile, always sent whole. Only psychologists have fields besides the name. */
export const ProfileInput = z.strictObject({
  /** Validated only when it changes: an existing name stays valid. */
  full_name: nameLine(LIMITS.name),
  specialty: optional(oneOf(SPECIALTIES)),
  country: optional(oneOf(COUNTRIES)),
  license_number: optional(line(LIMITS.licence)),
  bio: optional(text(LIMITS.bio)),
  phone: optional(phoneNumber),
  whatsapp: optional(phoneNumber),
  website: optional(website),
});
export type ProfileInput = z.infer<typeof ProfileInput>;

/** The user's own profile, only for themselves (specification, section 2, "Own profile"). */
export const OwnProfileView = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  user_type: oneOf(USER_TYPES),
  psychologist: z
    .object({
      specialty: z.string().nullable(),
      country: z.string().nullable(),
      license_number: z.string(),
      bio: z.string().nullable(),
      phone: z.string().nullable(),
      whatsapp: z.string().nullable(),
      website: z.string().nullable(),
      /** A stored number is older than the requirement of a country code. */
      phones_lack_country_code: z.boolean(),
      is_verified: z.boolean(),
      /** The administrator rejected the licence; the reason was mailed. */
      was_rejected: z.boolean(),
      /** Gold in force at this moment, and the subscription it comes from. */
      subscription_active: z.boolean(),
      subscription_id: id.nullable(),
      free_responses_used: z.number(),
      max_free_responses: z.number(),
      created_at: moment,
    })
    .nullable(),
});
export type OwnProfileView = z.infer<typeof OwnProfileView>;

/** The profile after a change. */
export const ProfileSavedView = z.object({
  profile: OwnProfileView,
  /** Verified data was changed, so the verification is pending again. */
  verification_asked: z.boolean(),
});

export const ConsentInput = z.strictObject({ kind: oneOf(CONSENTS), given: z.boolean("Este dato no es válido.") });

/** Whether mails about answers are sent at all. */
export const AnswerMailsInput = z.strictObject({ on: z.boolean("Este dato no es válido.") });

/** A session in the user's list of devices. */
export const OwnSessionView = z.object({
  id,
  /** Browser and system in words; null for an unknown user agent. */
  device: z.string().nullable(),
  seen_at: moment,
  current: z.boolean(),
});
export type OwnSessionView = z.infer<typeof OwnSessionView>;

/** The user's own account, only for themselves (specification, section 2, "Account"). */
export const AccountView = z.object({
  email: z.string(),
  /** The unconfirmed new address. */
  new_email: z.string().nullable(),
  password_changed_at: moment,
  /** Null while it is off. */
  second_factor_since: moment.nullable(),
  /** Until when sensitive changes do not require the password again; null when they do. */
  fresh_until: moment.nullable(),
  sessions: z.array(OwnSessionView),
  /** In the order in which they were given; withdrawn ones stay in the list. */
  consents: z.array(
    z.object({ kind: oneOf(CONSENTS), version: z.string(), accepted_at: moment, withdrawn_at: moment.nullable() }),
  ),
});
export type AccountView = z.infer<typeof AccountView>;

/** What a mailed e-mail change link would do. */
export const EmailLinkView = z.object({ purpose: oneOf(["confirm", "undo"]), email: z.string() });

export const FollowedEmailLinkView = z.object({ purpose: oneOf(["confirm", "undo"]) });
