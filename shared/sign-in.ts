import { z } from "zod";
import { emailAddress, linkToken, password } from "./account-fields.ts";
import { DoneView, IdInput, operation } from "./operation.ts";
import { id, isoDateTime, oneOf } from "./text.ts";
import { USER_TYPES } from "./user-types.ts";

export const EmailInput = z.strictObject({ email: emailAddress });

export const TokenInput = z.strictObject({ token: linkToken });

const SignOutInput = z.strictObject({
  scope: oneOf(["this", "others", "all"]).default("this"),
  /** Removes this browser from the account's known devices. */
  forget_device: z.boolean().default(false),
});

export const ViewerView = z.object({
  id,
  full_name: z.string(),
  email: z.string(),
  avatar_url: z.string().nullable(),
  user_type: oneOf(USER_TYPES),
  is_admin: z.boolean(),
  is_verified: z.boolean(),
  has_gold: z.boolean(),
  /** True after a code of the second factor in this session. */
  second_factor: z.boolean(),
  notify_on_answers: z.boolean(),
  /** New answers that were not shown in the user's list, and unseen notifications, at most 99. */
  new_answers: z.number(),
  new_notifications: z.number(),
});
export type ViewerView = z.infer<typeof ViewerView>;

/** A browser's view of its session (specification, section 3.2); the session id is in an HttpOnly cookie. */
export const SessionView = z.object({
  user: ViewerView.nullable(),
  /** Whole seconds until the session ends unless it is renewed. */
  expires_in: z.number().nullable(),
  expires_at: isoDateTime.nullable(),
});
export type SessionView = z.infer<typeof SessionView>;

export const OwnSessionView = z.object({
  id,
  /** Browser and system in words; null for an unknown user agent. */
  device: z.string().nullable(),
  seen_at: isoDateTime,
  current: z.boolean(),
});
export type OwnSessionView = z.infer<typeof OwnSessionView>;

export const signInOperations = {
  session: operation("GET /session", "The signed-in user").output(SessionView),
  renewSession: operation("POST /session/renewal", "Keep the session alive").output(SessionView),
  signIn: operation("POST /session", "Sign in")
    .input(z.strictObject({ email: emailAddress, password }))
    .output(SessionView.extend({ second_factor_required: z.boolean() })),
  signOut: operation("DELETE /session", "Sign out of this device, the others, or all")
    .input(SignOutInput)
    .output(DoneView),
  reauthenticate: operation("POST /session/password", "Give the password again before a sensitive change")
    .input(z.strictObject({ password }))
    .output(SessionView),
  endSession: operation("DELETE /sessions/{id}", "End one of the user's own sessions").input(IdInput).output(DoneView),
  deviceLink: operation("POST /device-links/pending", "Check a link that makes a browser known")
    .input(TokenInput)
    .output(DoneView),
  applyDeviceLink: operation("POST /device-links", "Make this browser known to the account of a mailed link")
    .input(TokenInput)
    .output(DoneView),
};
