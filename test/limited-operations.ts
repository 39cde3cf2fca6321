/** Every operation with a rate limit, the account that sends it, and helpers that spend and count the limit. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { RATE_LIMITS, type RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import { bucketsOf } from "#server/limits/rate-limits.ts";
import { hashToken } from "#server/tokens.ts";
import { type Answer, openTestApp, type TestApp, type TestUser } from "./app.ts";
import { validInput } from "./hostile-input.ts";
import { FOR_VISITORS, operations } from "./operations.ts";
import { form } from "./photos.ts";
import { PAYPAL } from "./provider-settings.ts";

export let app: TestApp;
export let user: TestUser;
let psychologist: TestUser;

/** A psychologist who is not verified and therefore cannot buy. */
let waiting: TestUser;
let admin: TestUser;

/** A user whose account cannot be deleted, so that the deletion can be repeated. */
let stayer: TestUser;

/**
 * Opens the app with real limits for a test file, and creates the accounts. `app` and the accounts are set before its
 * first test.
 */
export function withLimits(): void {
  beforeAll(async () => {
    // The test acts as the trusted proxy, so that it can send any IP address.
    app = await openTestApp({ limits: true, environment: { TRUSTED_PROXIES: "127.0.0.1", ...PAYMENT_PROVIDERS } });
    user = await app.person();
    psychologist = await app.person({ type: "psychologist" });
    waiting = await app.person({ type: "psychologist", verified: false });
    admin = await app.admin();
    stayer = await app.person();
    await app.sql("create function stay() returns trigger language plpgsql as 'begin return null; end'");
    await app.sql(
      `create trigger stay before delete on profiles for each row when (old.id = '${stayer.id}') execute function stay()`,
    );
    const first = await OPERATIONS.ask["consultations.create"]!({ sender: nextClientIp(), email: "" });
    expect(first.status).toBe(201);
    await makeLinks();
  });
  afterAll(() => app.close());
  beforeEach(async () => {
    await app.sql("delete from rate_limits");
    // Prevents refusals because of an old password confirmation.
    await app.sql("update sessions set password_at = now()");
  });
  afterEach(() => {
    vi.useRealTimers();
    app.setNow(null);
  });
}

/** Configures the providers, so that the server handles their webhooks. No request reaches a provider. */
const PAYMENT_PROVIDERS = {
  ...PAYPAL,
  PAYPAL_API_BASE: "http://127.0.0.1:9",
  MERCADOPAGO_ACCESS_TOKEN: "no-one",
  MERCADOPAGO_WEBHOOK_SECRET: "nothing",
  MERCADOPAGO_API_BASE: "http://127.0.0.1:9",
};

let senders = 0;

/** Returns an IP address that no other test of this file uses. */
export const nextClientIp = () => {
  senders++;
  return `10.${senders >> 16}.${(senders >> 8) & 255}.${senders & 255}`;
};
export const from = (sender: string) => ({ "x-forwarded-for": sender });

/** Tokens of mailed links. Each use is refused for another reason and does not consume the link. */
export const LINKS = {
  registration: "r".repeat(43),
  recovery: "p".repeat(43),
  emailChange: "e".repeat(43),
};
async function makeLinks(): Promise<void> {
  await app.sql(
    `insert into pending_registrations (id, token_hash, browser_hash, email, full_name, password_hash, user_type, details,
       return_to, consent_version, created_at, expires_at)
     values (gen_random_uuid(), $1, $1, 'otra@correo.example', 'Otra', 'x', 'user', '{}', '/', '1', now(), now() + interval '1 day')`,
    [hashToken(LINKS.registration)],
  );
  await app.sql(
    "insert into mailed_links (id, purpose, email, token_hash, expires_at) values (gen_random_uuid(), 'recover', $1, $2, now() + interval '1 day')",
    [user.email, hashToken(LINKS.recovery)],
  );
  // Another account has taken the new email.
  await app.sql(
    `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, expires_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'b', now(), now() + interval '1 day')`,
    [psychologist.id, psychologist.email, user.email, hashToken(LINKS.emailChange)],
  );
}

type Ask = (who: { sender: string; email: string; kind?: string }) => Promise<Answer>;

/** Every action with the operations that its limit refuses. Webhooks are not part of the contract. */
const LIMITED: Record<RateLimitedAction, string> = {
  sign_in: "accounts.signIn",
  mail_request: "accounts.signUp accounts.resendConfirmation accounts.requestRecovery",
  account: `notifications.choose secondFactor.begin secondFactor.confirm secondFactor.remove secondFactor.renewCodes
    accounts.changePassword ownData.close accounts.setConsent accounts.cancelEmailChange`,
  export: "ownData.export",
  change_email: "accounts.changeEmail accounts.resendEmailChange",
  link: "accounts.applyEmailLink accounts.confirm accounts.recover",
  ask: "consultations.create",
  answer: "answers.create",
  reply: "answers.reply",
  vote: "consultations.vote answers.vote answers.thank",
  session: "accounts.renewSession",
  correct: `consultations.edit consultations.chooseMails consultations.delete answers.edit answers.delete replies.edit replies.delete
    answers.saveTemplate answers.deleteTemplate`,
  review: "reviews.put reviews.delete",
  profile_view: "psychologists.recordView",
  upload: "uploads.photo",
  profile: "accounts.updateProfile",
  contact: "contact.send",
  checkout: "memberships.beginCheckout",
  cancellation: "memberships.cancel memberships.retryCancellation",
  reconciliation: "memberships.reconcileCheckout testPayments.decide",
  webhook: "webhooks/paypal webhooks/mercadopago",
  event: "memberships.trackEvent",
  moderation: `admin.undo admin.deleteConsultation payments.handle payments.readNow payments.tie
    gold.grant gold.end inbox.handle admin.approve admin.reject
    admin.retryMail`,
};

function askerOf(name: string, kind?: string): TestUser | null {
  // A limit per account applies to a message of a user.
  if (name === "contact.send" && kind !== "address") return user;
  if (FOR_VISITORS.includes(name) || name === "psychologists.recordView") return null;
  if (name === "memberships.beginCheckout") return waiting;
  if (name === "ownData.close") return stayer;
  if (/^(admin|payments|gold|inbox)\./.test(name)) return admin;
  const forPsychologists = /^(memberships|testPayments)\.|^answers\.(create|edit|delete|saveTemplate)|\.confirm$/;
  return forPsychologists.test(name) ? psychologist : user;
}

const WEAK = { password: "contraseña123", confirm_password: "contraseña123" };
/** Inputs of operations that must not succeed, because success would end what the next request needs. */
const REFUSED: Record<string, Record<string, unknown>> = {
  "accounts.applyEmailLink": { token: LINKS.emailChange },
  "accounts.confirm": { token: LINKS.registration },
  "accounts.recover": { token: LINKS.recovery, ...WEAK },
  "accounts.changePassword": WEAK,
};

/** Sends an operation with valid input, about an item that does not exist. */
const sendOperation = (name: string): Ask => {
  const operation = operations.find((one) => one.name === name)!;
  const id = () => (name === "psychologists.recordView" ? psychologist.id : randomUUID());
  return ({ sender, email, kind }) => {
    // A repeated key would count as a repetition of the same press.
    const { key: _, ...valid } = validInput(operation);
    const input = REFUSED[name] ?? (valid.email ? { ...valid, email } : valid);
    return app.call(operation.method, operation.path.replace("{id}", id), input, askerOf(name, kind), from(sender));
  };
};

const CUSTOM: Record<string, Ask> = {
  "accounts.resendEmailChange": async ({ sender, email }) => {
    await app.sql(
      `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, expires_at)
       values (gen_random_uuid(), $1, $2, $3, sha256(gen_random_uuid()::text::bytea),
         sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 hour')
       on conflict (account_id) where confirmed_at is null do update set new_email = $3`,
      [user.id, user.email, email],
    );
    return app.call("POST", "/account/email/mail", {}, user, from(sender));
  },
  "uploads.photo": async ({ sender }) => {
    const body = form("no photo", "photo.png", "image/png");
    return app.page("/api/profile/photo", user, { method: "POST", body, headers: from(sender) });
  },
  "webhooks/paypal": ({ sender }) => app.call("POST", "/webhooks/paypal", {}, null, from(sender)),
  "webhooks/mercadopago": ({ sender }) => app.call("POST", "/webhooks/mercadopago?data.id=1", {}, null, from(sender)),
};

/** Every operation with a rate limit, by action and name. Only the limit can refuse it. */
export const OPERATIONS = Object.fromEntries(
  Object.entries(LIMITED).map(([action, names]) => [
    action,
    Object.fromEntries(names.split(/\s+/).map((name) => [name, CUSTOM[name] ?? sendOperation(name)])),
  ]),
) as Record<RateLimitedAction, Record<string, Ask>>;

type RateLimit = { points: number; seconds: number };
export const rules = (Object.keys(RATE_LIMITS) as RateLimitedAction[]).flatMap((action) =>
  Object.entries(RATE_LIMITS[action] as Record<string, RateLimit>).map(([kind, rule]) => ({ action, kind, rule })),
);

/** Action whose limit no response reveals. A separate test file covers it. */
const SILENT = "profile_view";
export const guarded = rules
  .filter(({ action }) => action !== SILENT)
  .flatMap(({ action, kind, rule }) =>
    Object.entries(OPERATIONS[action]).map(([name, ask]) => ({ name, action, kind, rule, ask })),
  );

const secret = () => app.context.config.secret;

/** Returns the bucket of an IP address in the current window. */
export const bucket = (action: RateLimitedAction, sender: string, target?: string) =>
  bucketsOf(secret(), action, { address: sender, target }, app.context.now())[0]!;

/** Sets the spent uses so that `left` remain, for one IP address or for all existing buckets. */
export async function spent(
  action: RateLimitedAction,
  kind: string,
  left = 0,
  sender = "",
  target?: string,
): Promise<void> {
  if (kind === "address") {
    const { key, limit } = bucket(action, sender, target);
    await app.sql("update rate_limits set points = $1 where key = $2", [limit - left, key]);
  } else {
    const { points } = (RATE_LIMITS[action] as Record<string, RateLimit>)[kind]!;
    await app.sql("update rate_limits set points = $1 where key like $2", [points - left, `${action}\\_${kind}:%`]);
  }
}

/** Returns the stored counters, to check that a refusal does not change them. */
export const counted = () => app.sql("select key, points, expire from rate_limits order by key");
