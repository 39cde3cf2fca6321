/** Every operation with a rate limit, the account that sends it, and helpers that spend and count the limit. */
import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, expect, vi } from "vitest";
import { RATE_LIMITS, type RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import { bucketsOf } from "#server/limits/rate-limits.ts";
import { hashToken } from "#server/tokens.ts";
import { type Answer, openTestApp, type TestApp, type TestUser } from "./app.ts";
import { registration } from "./people.ts";

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
    const first = await OPERATIONS.ask["POST /consultations"]!({ sender: nextClientIp(), email: "" });
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
  PAYPAL_CLIENT_ID: "no-one",
  PAYPAL_CLIENT_SECRET: "nothing",
  PAYPAL_WEBHOOK_ID: "WH-NOWHERE",
  PAYPAL_PLAN_MONTHLY: "P-MONTHLY",
  PAYPAL_PLAN_LIFETIME: "P-LIFETIME",
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

const nowhere = () => randomUUID();

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

/** Every operation with a rate limit. Only the limit can refuse it. */
export const OPERATIONS: Record<RateLimitedAction, Record<string, Ask>> = {
  sign_in: {
    "POST /session": ({ sender, email }) =>
      app.call("POST", "/session", { email, password: "otra cosa larga" }, null, from(sender)),
  },
  mail_request: {
    "POST /registrations": ({ sender, email }) =>
      app.call("POST", "/registrations", registration(email), null, from(sender)),
    "POST /registrations/mail": ({ sender, email }) =>
      app.call("POST", "/registrations/mail", { email }, null, from(sender)),
    "POST /recoveries": ({ sender, email }) => app.call("POST", "/recoveries", { email }, null, from(sender)),
  },
  account: {
    "PUT /notifications/choices": ({ sender }) =>
      app.call("PUT", "/notifications/choices", { answers: false }, user, from(sender)),
    "POST /account/second-factor": ({ sender }) => app.call("POST", "/account/second-factor", {}, user, from(sender)),
    "PUT /account/second-factor": ({ sender }) =>
      app.call("PUT", "/account/second-factor", { code: "123456" }, psychologist, from(sender)),
    "DELETE /account/second-factor": ({ sender }) =>
      app.call("DELETE", "/account/second-factor", {}, user, from(sender)),
    "POST /account/second-factor/recovery-codes": ({ sender }) =>
      app.call("POST", "/account/second-factor/recovery-codes", {}, user, from(sender)),
    "PUT /account/password": ({ sender }) =>
      app.call(
        "PUT",
        "/account/password",
        { password: "contraseña123", confirm_password: "contraseña123" },
        user,
        from(sender),
      ),
    "DELETE /account": ({ sender }) =>
      app.call("DELETE", "/account", { anonymous_texts: "keep" }, stayer, from(sender)),
    "PUT /account/consents": ({ sender }) =>
      app.call("PUT", "/account/consents", { kind: "health_data", given: true }, user, from(sender)),
    "DELETE /account/email": ({ sender }) => app.call("DELETE", "/account/email", {}, user, from(sender)),
  },
  export: {
    "POST /account/export": ({ sender }) => app.call("POST", "/account/export", {}, user, from(sender)),
  },
  change_email: {
    "POST /account/email": ({ sender, email }) => app.call("POST", "/account/email", { email }, user, from(sender)),
    "POST /account/email/mail": async ({ sender, email }) => {
      await app.sql(
        `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, expires_at)
         values (gen_random_uuid(), $1, $2, $3, sha256(gen_random_uuid()::text::bytea),
           sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 hour')
         on conflict (account_id) where confirmed_at is null do update set new_email = $3`,
        [user.id, user.email, email],
      );
      return app.call("POST", "/account/email/mail", {}, user, from(sender));
    },
  },
  link: {
    "POST /email-links": () => app.call("POST", "/email-links", { token: LINKS.emailChange }),
    "POST /accounts": () => app.call("POST", "/accounts", { token: LINKS.registration }),
    "PUT /password": () =>
      app.call("PUT", "/password", {
        token: LINKS.recovery,
        password: "contraseña123",
        confirm_password: "contraseña123",
      }),
  },
  ask: {
    "POST /consultations": ({ sender }) =>
      app.call(
        "POST",
        "/consultations",
        { title: "Una pregunta de prueba", content: "Un texto de más de veinte caracteres.", country: "Chile" },
        user,
        from(sender),
      ),
  },
  answer: {
    "POST /consultations/{id}/answers": ({ sender }) =>
      app.call(
        "POST",
        `/consultations/${nowhere()}/answers`,
        { content: "Una respuesta." },
        psychologist,
        from(sender),
      ),
  },
  reply: {
    "POST /answers/{id}/replies": ({ sender }) =>
      app.call("POST", `/answers/${nowhere()}/replies`, { content: "Gracias." }, user, from(sender)),
  },
  vote: {
    "PUT /consultations/{id}/vote": ({ sender }) =>
      app.call("PUT", `/consultations/${nowhere()}/vote`, { vote: "up" }, user, from(sender)),
    "PUT /answers/{id}/vote": ({ sender }) =>
      app.call("PUT", `/answers/${nowhere()}/vote`, { vote: "up" }, user, from(sender)),
    "PUT /answers/{id}/thanks": ({ sender }) =>
      app.call("PUT", `/answers/${nowhere()}/thanks`, { on: true }, user, from(sender)),
  },
  session: {
    "POST /session/renewal": ({ sender }) => app.call("POST", "/session/renewal", {}, user, from(sender)),
  },
  correct: {
    "PATCH /consultations/{id}": ({ sender }) =>
      app.call(
        "PATCH",
        `/consultations/${nowhere()}`,
        {
          title: "Una pregunta de prueba",
          content: "Un texto de más de veinte caracteres.",
          country: "Chile",
          is_anonymous: true,
        },
        user,
        from(sender),
      ),
    "DELETE /consultations/{id}": ({ sender }) =>
      app.call("DELETE", `/consultations/${nowhere()}`, {}, user, from(sender)),
    "PATCH /answers/{id}": ({ sender }) =>
      app.call("PATCH", `/answers/${nowhere()}`, { content: "Otra respuesta." }, psychologist, from(sender)),
    "DELETE /answers/{id}": ({ sender }) => app.call("DELETE", `/answers/${nowhere()}`, {}, psychologist, from(sender)),
    "PATCH /replies/{id}": ({ sender }) =>
      app.call("PATCH", `/replies/${nowhere()}`, { content: "Muchas gracias." }, user, from(sender)),
    "PUT /profile/templates": ({ sender }) =>
      app.call("PUT", "/profile/templates", { content: "Un texto." }, psychologist, from(sender)),
    "DELETE /profile/templates/{id}": ({ sender }) =>
      app.call("DELETE", `/profile/templates/${nowhere()}`, {}, psychologist, from(sender)),
    "DELETE /replies/{id}": ({ sender }) => app.call("DELETE", `/replies/${nowhere()}`, {}, user, from(sender)),
  },
  review: {
    "PUT /psychologists/{id}/review": ({ sender }) =>
      app.call(
        "PUT",
        `/psychologists/${nowhere()}/review`,
        { rating: 5, comment: "Muy bien.", show_name: false },
        user,
        from(sender),
      ),
    "DELETE /psychologists/{id}/review": ({ sender }) =>
      app.call("DELETE", `/psychologists/${nowhere()}/review`, {}, user, from(sender)),
  },
  profile_view: {
    "POST /psychologists/{id}/views": ({ sender }) =>
      app.call("POST", `/psychologists/${psychologist.id}/views`, {}, null, from(sender)),
  },
  upload: {
    "POST /profile/photo": async ({ sender }) => {
      const form = new FormData();
      form.set("file", new File(["no photo"], "photo.png", { type: "image/png" }));
      const init = { method: "POST", body: form, headers: from(sender) };
      return app.page("/api/profile/photo", user, init);
    },
  },
  profile: {
    "PUT /profile": ({ sender }) => app.call("PUT", "/profile", { full_name: "Rosa Luna Prado" }, user, from(sender)),
  },
  contact: {
    "POST /contact": ({ sender, email, kind }) =>
      app.call(
        "POST",
        "/contact",
        { name: "Rosa Luna", email, message: "Una pregunta larga y clara." },
        kind === "address" ? null : user,
        from(sender),
      ),
  },
  checkout: {
    "POST /checkouts": ({ sender }) =>
      app.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, waiting, from(sender)),
  },
  cancellation: {
    "DELETE /memberships/{id}": ({ sender }) =>
      app.call("DELETE", `/memberships/${nowhere()}`, {}, psychologist, from(sender)),
    "POST /cancel-payment-subscription": ({ sender }) =>
      app.call("POST", "/cancel-payment-subscription", { subscriptionId: "TEST_nobody" }, psychologist, from(sender)),
  },
  reconciliation: {
    "POST /checkouts/{id}/reconciliation": ({ sender }) =>
      app.call("POST", `/checkouts/${nowhere()}/reconciliation`, {}, psychologist, from(sender)),
    "PUT /test-payments/{id}": ({ sender }) =>
      app.call("PUT", `/test-payments/${nowhere()}`, { decision: "approve" }, psychologist, from(sender)),
  },
  webhook: {
    "POST /webhooks/paypal": ({ sender }) => app.call("POST", "/webhooks/paypal", {}, null, from(sender)),
    "POST /webhooks/mercadopago": ({ sender }) =>
      app.call("POST", "/webhooks/mercadopago?data.id=1", {}, null, from(sender)),
  },
  event: {
    "POST /events": ({ sender }) =>
      app.call("POST", "/events", { event: "view_premium_plans" }, psychologist, from(sender)),
  },
  moderation: {
    "POST /admin/decisions/{id}/undo": ({ sender }) =>
      app.call("POST", `/admin/decisions/${nowhere()}/undo`, {}, admin, from(sender)),
    "DELETE /admin/consultations/{id}": ({ sender }) =>
      app.call("DELETE", `/admin/consultations/${nowhere()}`, { version: "" }, admin, from(sender)),
    "PUT /admin/payments/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/payments/${nowhere()}/handling`, { version: "" }, admin, from(sender)),
    "POST /admin/payments/{id}/reading": ({ sender }) =>
      app.call("POST", `/admin/payments/${nowhere()}/reading`, {}, admin, from(sender)),
    "POST /admin/payments/{id}/owner": ({ sender }) =>
      app.call("POST", `/admin/payments/${nowhere()}/owner`, { email: psychologist.email }, admin, from(sender)),
    "PUT /admin/payments/{id}/owner": ({ sender }) => {
      const tied = { email: psychologist.email, version: "" };
      return app.call("PUT", `/admin/payments/${nowhere()}/owner`, tied, admin, from(sender));
    },
    "POST /admin/cancellations/{id}/reading": ({ sender }) =>
      app.call("POST", `/admin/cancellations/${nowhere()}/reading`, {}, admin, from(sender)),
    "PUT /admin/cancellations/{id}/closing": ({ sender }) => {
      const closed = { version: "", reason: "Un motivo" };
      return app.call("PUT", `/admin/cancellations/${nowhere()}/closing`, closed, admin, from(sender));
    },
    "PUT /admin/psychologists/{id}/gold": ({ sender }) => {
      const granted = { version: "", last_day: "never", reason: "Un motivo" };
      return app.call("PUT", `/admin/psychologists/${nowhere()}/gold`, granted, admin, from(sender));
    },
    "DELETE /admin/psychologists/{id}/gold": ({ sender }) => {
      const ended = { version: "", reason: "Un motivo" };
      return app.call("DELETE", `/admin/psychologists/${nowhere()}/gold`, ended, admin, from(sender));
    },
    "PUT /admin/messages/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/messages/${nowhere()}/handling`, { version: "" }, admin, from(sender)),
    "PUT /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("PUT", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, admin, from(sender)),
    "POST /admin/mails/{id}/retry": ({ sender }) =>
      app.call("POST", `/admin/mails/${nowhere()}/retry`, { version: "" }, admin, from(sender)),
    "DELETE /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("DELETE", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, admin, from(sender)),
  },
};

type RateLimit = { points: number; seconds: number };
export const rules = Object.entries(RATE_LIMITS).flatMap(([action, kinds]) =>
  Object.entries(kinds as Record<string, RateLimit>).map(([kind, rule]) => ({
    action: action as RateLimitedAction,
    kind,
    rule,
  })),
);

/** Action whose limit no response reveals. A separate test file covers it. */
const SILENT = "profile_view";
export const guarded = rules
  .filter(({ action }) => action !== SILENT)
  .flatMap(({ action, kind, rule }) =>
    Object.entries(OPERATIONS[action]).map(([name, ask]) => ({ name, action, kind, rule, ask })),
  );

export const secret = () => app.context.config.secret;

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
