import { z } from "zod";
import { linkToken, newPasswords, passwordsMatch } from "./account-fields.ts";
import { CONSENTS } from "./consents.ts";
import { AcceptedView, DoneView, operation } from "./operation.ts";
import { EmailInput, OwnSessionView, SessionView, TokenInput } from "./sign-in.ts";
import { isoDateTime, oneOf } from "./text.ts";

/** The user's own account (specification, section 2, "Account"). */
export const AccountView = z.object({
  email: z.string(),
  new_email: z.string().nullable(),
  password_changed_at: isoDateTime,
  /** Null while it is off. */
  second_factor_since: isoDateTime.nullable(),
  /** Null if sensitive changes require the password again. */
  reauthenticated_until: isoDateTime.nullable(),
  sessions: z.array(OwnSessionView),
  /** In the order in which the user gave them, including withdrawn ones. */
  consents: z.array(
    z.object({
      kind: oneOf(CONSENTS),
      version: z.string(),
      accepted_at: isoDateTime,
      withdrawn_at: isoDateTime.nullable(),
    }),
  ),
});
export type AccountView = z.infer<typeof AccountView>;

const EmailLinkView = z.object({ purpose: oneOf(["confirm", "undo"]), email: z.string() });

export const accountsOperations = {
  requestRecovery: operation("POST /recoveries", "Ask for a mail to choose a new password", 202)
    .input(EmailInput)
    .output(AcceptedView),
  recover: operation("PUT /password", "Choose a new password with the link of the mail")
    .input(z.strictObject({ token: linkToken, ...newPasswords }).check(passwordsMatch))
    .output(DoneView),
  account: operation("GET /account", "The user's own account and its sessions").output(AccountView),
  changePassword: operation("PUT /account/password", "Choose another password")
    .input(z.strictObject(newPasswords).check(passwordsMatch))
    .output(SessionView),
  changeEmail: operation("POST /account/email", "Ask for another email; a mail to it asks for confirmation", 202)
    .input(EmailInput)
    .output(AcceptedView),
  resendEmailChange: operation("POST /account/email/mail", "Send the mail to the new email again", 202).output(
    AcceptedView,
  ),
  cancelEmailChange: operation("DELETE /account/email", "Cancel the change of the email").output(DoneView),
  setConsent: operation("PUT /account/consents", "Give a consent or withdraw it")
    .input(z.strictObject({ kind: oneOf(CONSENTS), given: z.boolean("Este dato no es válido.") }))
    .output(DoneView),
  emailLink: operation("POST /email-links/pending", "Effect of a mailed link about an email")
    .input(TokenInput)
    .output(EmailLinkView),
  applyEmailLink: operation("POST /email-links", "Confirm a new email, or undo the change")
    .input(TokenInput)
    .output(EmailLinkView.pick({ purpose: true })),
  unsubscribe: operation("POST /unsubscriptions", "End mails about answers and digests with a mail's link")
    .input(TokenInput)
    .output(DoneView),
};
