import { z } from "zod";
import { ProfessionalView, professionalFields } from "./account-fields.ts";
import { LIMITS } from "./limits.ts";
import { operation } from "./operation.ts";
import { id, isoDateTime, nameLine, oneOf, optional, singleLine } from "./text.ts";
import { USER_TYPES } from "./user-types.ts";

/** Website of a psychologist: http or https, a public host name, without user name or password. */
export const website = singleLine({ min: 1, max: LIMITS.website.max }).transform((value, context) => {
  // Without a scheme, the text before the first slash must not contain a colon.
  const typed = /^https?:\/\//i.test(value) ? value : /^[^/:]+(\/|$)/.test(value) ? `https://${value}` : "";
  const parsed = /^https?:\/\/[^/]/i.test(typed) && !/[\s\p{C}<>"'`\\^{|}@]/u.test(typed) ? URL.parse(typed) : null;
  const named =
    parsed && /^([a-z0-9-]+\.)+[a-z][a-z0-9-]*$/.test(parsed.hostname) && parsed.href.length <= 3 * LIMITS.website.max;
  if (named) return parsed.href;
  context.addIssue({ code: "custom", message: "Escribe la dirección de tu sitio, por ejemplo https://tusitio.com." });
  return z.NEVER;
});

/** The user's own profile, always with all fields. Users have only the name. */
export const ProfileInput = z.strictObject({
  /** Validated only if it changes: an existing name stays valid. */
  full_name: nameLine(LIMITS.name),
  ...professionalFields,
  website: optional(website),
});

export type ProfileInput = z.infer<typeof ProfileInput>;

/** The user's own profile (specification, section 2, "Own profile"). */
export const OwnProfileView = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  user_type: oneOf(USER_TYPES),
  psychologist: ProfessionalView.extend({
    is_verified: z.boolean(),
    was_rejected: z.boolean(),
    subscription_active: z.boolean(),
    subscription_id: id.nullable(),
    free_responses_used: z.number(),
    max_free_responses: z.number(),
    created_at: isoDateTime,
  }).nullable(),
});

export type OwnProfileView = z.infer<typeof OwnProfileView>;

const ProfileSavedView = z.object({
  profile: OwnProfileView,
  /** True if verified data was changed, so that the verification is pending again. */
  verification_asked: z.boolean(),
});

export const ownProfileOperations = {
  profile: operation("GET /profile", "The user's own profile").output(OwnProfileView),
  updateProfile: operation("PUT /profile", "Change the user's own profile")
    .input(ProfileInput)
    .output(ProfileSavedView),
};

export const uploadsOperations = {
  photo: operation(
    "POST /profile/photo",
    "Upload the user's photo: a form with one file, below 5 MB (JPEG, PNG, WebP or GIF)",
    201,
  )
    // The server detects the type from the content and ignores name and declared type.
    .input(z.strictObject({ file: z.file("Elige una imagen.") }))
    .output(z.object({ avatar_url: z.string() })),
};
