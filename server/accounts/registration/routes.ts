import { randomUUID } from "node:crypto";
import type { z } from "zod";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { AppError } from "#shared/errors.ts";
import { normaliseLicence } from "#shared/licences.ts";
import type { ConfirmInput } from "#shared/registration.ts";
import { safeRedirectAfterSignIn } from "#shared/safe-redirect.ts";
import { queueMail } from "../../mail/queues.ts";
import { rateLimit } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import { createSession, lockVerifiedAccount } from "../../sessions/session.ts";
import { deleteSession } from "../../sessions/store.ts";
import { hashToken, linkToken, randomSecret, timingSafeEqualBytes } from "../../tokens.ts";
import { hashPassword, passwordError } from "../password.ts";
import { normalisePhone } from "../profile/phone-rules.ts";
import { phoneErrors } from "../profile/rules.ts";
import { refreshSession } from "../refresh-session.ts";
import { giveConsents } from "../store.ts";
import {
  BROWSER_COOKIE,
  deleteOwnRegistrations,
  insertAccount,
  insertRegistration,
  invalidateRegistrations,
  lockRegistrations,
  type NewPerson,
  newestRegistration,
  registrationByToken,
} from "./store.ts";

/** @throws AppError invalid_input with errors by field: a weak password, an impossible phone number */
function assertValidRegistration(
  password: string,
  person: { full_name: string; email: string } & Parameters<typeof phoneErrors>[0],
): void {
  const weak = passwordError(password, person);
  const problems = { ...(weak && { password: weak }), ...phoneErrors(person) };
  if (Object.keys(problems).length) throw new AppError("invalid_input", { fields: problems });
}

function professionalDetails(
  input: Pick<z.infer<typeof ConfirmInput>, keyof NewPerson["details"] | "user_type">,
): NewPerson["details"] {
  if (input.user_type !== "psychologist") return {};
  const { specialty, country, bio } = input;
  const phone = normalisePhone(input.phone, country) ?? undefined;
  const whatsapp = normalisePhone(input.whatsapp, country) ?? undefined;
  const license_number = input.license_number && normaliseLicence(input.license_number, country);
  return { license_number, specialty, country, bio, phone, whatsapp };
}

/**
 * Returns the registration of a confirmation link without using it, and whether this browser registered.
 * @throws AppError link_expired
 */
async function pendingConfirmation({ context, cookies }: RequestContext, token: string) {
  const waiting = await registrationByToken(context.db, hashToken(token), context.now());
  if (!waiting) throw new AppError("link_expired");
  const browser = cookies.get(BROWSER_COOKIE);
  const sameBrowser = browser !== undefined && timingSafeEqualBytes(hashToken(browser), waiting.browser_hash);
  return { waiting, sameBrowser };
}

/** @throws AppError registration_required, invalid_input */
async function resubmittedPerson(email: string, input: z.infer<typeof ConfirmInput>): Promise<NewPerson> {
  const { full_name, user_type, password } = input;
  if (full_name === undefined || user_type === undefined || password === undefined)
    throw new AppError("registration_required");
  assertValidRegistration(password, { ...input, full_name, email });
  const password_hash = await hashPassword(password);
  return { full_name, user_type, password_hash, details: professionalDetails({ ...input, user_type }) };
}

const { accounts } = api;
const mailRequest = accounts.use(rateLimit("mail_request"));

export const registrationRoutes = {
  // Nothing here depends on whether the email has an account. The job decides the mail's content, so neither the
  // response nor its time reveals it.
  signUp: mailRequest.signUp.handler(async ({ context: { request, db, boss, config, now }, input }) => {
    const { email, full_name, user_type } = input;
    assertValidRegistration(input.password, input);
    const password_hash = await hashPassword(input.password);
    const id = randomUUID();
    const known = request.cookies.get(BROWSER_COOKIE);
    const browser = known && /^[\w-]{43}$/.test(known) ? known : randomSecret();
    const at = now();
    await db.transaction().execute(async (tx) => {
      await insertRegistration(tx, {
        id,
        token_hash: hashToken(linkToken(config.secret, "confirm", id)),
        browser_hash: hashToken(browser),
        email,
        full_name,
        password_hash,
        user_type,
        details: professionalDetails(input),
        return_to: safeRedirectAfterSignIn(input.return_to),
        consent_version: CONSENT_VERSION,
        created_at: at,
        expires_at: new Date(at.getTime() + LIFETIMES.registration),
      });
      await queueMail(boss, tx, { kind: "confirm_registration", registration_id: id });
    });
    request.cookies.set(BROWSER_COOKIE, browser, { maxAge: LIFETIMES.registration / 1000 });
  }),

  // Always queues a job, so that neither SQL statements nor time reveal whether there is a registration.
  resendConfirmation: mailRequest.resendConfirmation.handler(async ({ context: { request, db, boss, now }, input }) => {
    const browser = request.cookies.get(BROWSER_COOKIE);
    const waiting = await newestRegistration(db, input.email, now(), browser ? hashToken(browser) : null);
    const registration_id = waiting?.id ?? randomUUID();
    const job = { kind: "confirm_registration", registration_id, mail_id: randomUUID() } as const;
    await db.transaction().execute((tx) => queueMail(boss, tx, job));
  }),

  pendingConfirmation: accounts.pendingConfirmation.handler(async ({ context: { request }, input }) => {
    const { waiting, sameBrowser } = await pendingConfirmation(request, input.token);
    const { email, full_name, user_type, details } = waiting;
    return {
      email,
      full_name,
      same_browser: sameBrowser,
      registration: sameBrowser ? null : { user_type, ...details },
    };
  }),

  // In the browser that registered, the link is enough. Another browser may belong to the mailbox's owner, whose email a
  // third party registered. There the user enters everything again, including consents and password, and only the
  // registration's email counts (specification, section 2, "Registering").
  confirm: accounts.confirm.handler(async ({ context: { request, db, now, rateLimits }, input }) => {
    const at = now();
    const { waiting, sameBrowser } = await pendingConfirmation(request, input.token);
    await rateLimits.spend("link", { link: input.token });
    const given = sameBrowser ? null : await resubmittedPerson(waiting.email, input);
    const return_to = await db.transaction().execute(async (tx) => {
      await lockRegistrations(tx, waiting.email);
      // Read again under the lock, because another confirmation may have consumed the link.
      const row = await registrationByToken(tx, waiting.token_hash, at);
      if (!row) throw new AppError("link_expired");
      const { email } = row;
      const person = given ?? row;
      const accountId = await insertAccount(tx, person, email, at);
      const consents = CONSENTS_OF[person.user_type];
      if (given) await giveConsents(tx, accountId, consents, CONSENT_VERSION, at);
      else await giveConsents(tx, accountId, consents, row.consent_version, row.created_at);
      if (sameBrowser) await deleteOwnRegistrations(tx, email, row.browser_hash);
      await invalidateRegistrations(tx, email);
      if (request.session) await deleteSession(tx, request.session.id);
      const account = await lockVerifiedAccount(tx, { accountId, email, passwordHash: person.password_hash });
      // A tap in the browser that registered does not prove that the user knows the password.
      await createSession(tx, request, account, at, { passwordAt: given ? at : null });
      request.cookies.clear(BROWSER_COOKIE);
      return given ? "/" : row.return_to;
    });
    const { user } = await refreshSession(request);
    if (!user) throw new AppError("sign_in_required");
    return { viewer: user, return_to };
  }),
};
