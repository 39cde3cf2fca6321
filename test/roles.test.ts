import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Answer, TestApp, TestUser } from "./app.ts";
import { operations } from "./operations.ts";
import { setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, publishReply, resetWeeklyLimit } from "./threads.ts";
import { consultationVersion } from "./versions.ts";

/** The roles, in the order of the table's columns. */
const ROLES = ["visitor", "user", "pending", "verified", "gold", "admin"] as const;
type Role = (typeof ROLES)[number];

const demo = setUpTestApp();
const production = setUpTestApp({
  environment: { DEMO: "off", SMTP_URL: "smtp://127.0.0.1:1" },
  overrides: { mailer: { send: async () => {}, close: () => {} } },
});
/** The application that the rows call. */
let app: TestApp;
const people = {} as Record<Role, TestUser | null>;
let author: TestUser;
let colleague: TestUser;

/** Makes the rows call an application, and adds an account of each role to it. */
async function useApp(used: TestApp): Promise<void> {
  app = used;
  author = await app.person();
  colleague = await app.person({ type: "psychologist", gold: "active" });
  people.visitor = null;
  people.user = await app.person();
  people.pending = await app.person({ type: "psychologist", verified: false });
  people.verified = await app.person({ type: "psychologist" });
  people.gold = await app.person({ type: "psychologist", gold: "active" });
  people.admin = await app.admin();
  await app.sql(
    `with made as (insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at)
       values ($1, 'test', 'paypal', 'TEST_roles', 'monthly', 499, 'USD', now()) returning *)
     insert into subscriptions (checkout_id, psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date)
     select id, psychologist_id, provider, external_id, plan_type, amount, currency, 'active', now() + interval '1 day' from made`,
    [people.gold.id],
  );
  shared = await thread();
}

type Thread = { consultation: string; answer: string; reply: string };
/** The thread that requests share, because almost all of them are refused or change only the viewer's part. */
let shared: Thread;

/** Publishes another user's consultation with an answer and a reply. */
async function thread(): Promise<Thread> {
  await resetWeeklyLimit(app, author);
  const consultation = await ask(app, author);
  const content = "Un texto de prueba.";
  const answer = await publishAnswer(app, consultation, colleague, content);
  const reply = await publishReply(app, answer, author, content);
  return { consultation, answer, reply };
}

const content = "Otro texto de prueba.";
const consultation = {
  title: "Una pregunta",
  content: "Un texto de prueba con más de veinte caracteres.",
  country: "Perú",
  is_anonymous: true,
};
const profile = {
  full_name: "Nombre Nuevo",
  license_number: "MP 1234",
  specialty: null,
  country: null,
  bio: null,
  phone: null,
  whatsapp: null,
  website: null,
};

type Asked = (as: TestUser | null) => Promise<Answer<{ code?: string }>>;
const get =
  (path: string): Asked =>
  (as) =>
    app.call("GET", path, undefined, as);
const send =
  (method: string, path: string, body: unknown = {}): Asked =>
  (as) =>
    app.call(method, path, body, as);
const on =
  (method: string, path: (made: Thread) => string, body?: unknown): Asked =>
  (as) =>
    app.call(method, path(shared), body ?? (method === "GET" ? undefined : {}), as);
const onPsychologist =
  (method: string, rest: string, body?: unknown): Asked =>
  (as) =>
    app.call(method, `/psychologists/${colleague.id}${rest}`, method === "GET" ? undefined : (body ?? {}), as);
const nowhere = () => randomUUID();

/**
 * The expected response of every operation for each role: a status, or a status and a code (specification, section 6).
 */
const ALL = "200 200 200 200 200 200";
const SIGNED_IN = "401 200 200 200 200 200";
const ADMIN_REFUSALS = "401 403:admin_only 403:admin_only 403:admin_only 403:admin_only";
const ADMIN = `${ADMIN_REFUSALS} 200`;
const ADMIN_ABOUT_NO_ONE = `${ADMIN_REFUSALS} 404`;
const AUTHOR_ALONE = "401 404 404 404 404 404";
/** The accounts have not entered the password within the last 10 minutes. */
const SENSITIVE = `401${" 403:reauthentication_required".repeat(5)}`;
const MATRIX: Record<string, [Asked, string]> = {
  "accounts.session": [get("/session"), ALL],
  "accounts.renewSession": [send("POST", "/session/renewal"), SIGNED_IN],
  "accounts.signUp": [send("POST", "/registrations"), "422 422 422 422 422 422"],
  "accounts.resendConfirmation": [
    send("POST", "/registrations/mail", { email: "nadie@example.com" }),
    "202 202 202 202 202 202",
  ],
  "accounts.pendingConfirmation": [send("POST", "/registrations/pending", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.confirm": [send("POST", "/accounts", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.signIn": [
    send("POST", "/session", { email: "nadie@example.com", password: "no es esta" }),
    "400 400 400 400 400 400",
  ],
  "accounts.signOut": [send("DELETE", "/session", { scope: "others" }), ALL],
  "accounts.requestRecovery": [send("POST", "/recoveries", { email: "nadie@example.com" }), "202 202 202 202 202 202"],
  "accounts.recover": [
    send("PUT", "/password", {
      token: "x",
      password: "una contraseña larga",
      confirm_password: "una contraseña larga",
    }),
    "410 410 410 410 410 410",
  ],
  "accounts.reauthenticate": [send("POST", "/session/password", { password: "no es esta" }), "401 422 422 422 422 422"],
  "accounts.endSession": [(as) => app.call("DELETE", `/sessions/${nowhere()}`, {}, as), AUTHOR_ALONE],
  "accounts.account": [get("/account"), SIGNED_IN],
  "accounts.changePassword": [
    send("PUT", "/account/password", { password: "una contraseña larga", confirm_password: "una contraseña larga" }),
    SENSITIVE,
  ],
  "accounts.changeEmail": [send("POST", "/account/email", { email: "nadie@example.com" }), SENSITIVE],
  "accounts.resendEmailChange": [send("POST", "/account/email/mail"), AUTHOR_ALONE],
  "accounts.cancelEmailChange": [send("DELETE", "/account/email"), SIGNED_IN],
  "accounts.setConsent": [send("PUT", "/account/consents", { kind: "health_data", given: true }), SIGNED_IN],
  "accounts.emailLink": [send("POST", "/email-links/pending", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.applyEmailLink": [send("POST", "/email-links", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.deviceLink": [send("POST", "/device-links/pending", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.applyDeviceLink": [send("POST", "/device-links", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.unsubscribe": [send("POST", "/unsubscriptions", { token: "x" }), "410 410 410 410 410 410"],
  "accounts.profile": [get("/profile"), SIGNED_IN],
  "accounts.updateProfile": [send("PUT", "/profile", profile), "401 422 422 422 422 422"],
  "secondFactor.read": [get("/account/second-factor"), SIGNED_IN],
  "secondFactor.begin": [send("POST", "/account/second-factor"), SENSITIVE],
  "secondFactor.confirm": [send("PUT", "/account/second-factor", { code: "123456" }), SENSITIVE],
  "secondFactor.remove": [send("DELETE", "/account/second-factor"), SENSITIVE],
  "secondFactor.renewCodes": [send("POST", "/account/second-factor/recovery-codes"), SENSITIVE],
  "secondFactor.signIn": [
    send("POST", "/session/second-factor", { code: "123456" }),
    Array(6).fill("401:second_factor_expired").join(" "),
  ],
  "ownData.export": [send("POST", "/account/export"), SENSITIVE],
  "ownData.deletionPreview": [get("/account/deletion"), SIGNED_IN],
  "ownData.close": [send("DELETE", "/account", { anonymous_texts: "keep" }), SENSITIVE],
  "consultations.list": [get("/consultations"), ALL],
  "consultations.get": [on("GET", (made) => `/consultations/${made.consultation}`), ALL],
  "consultations.create": [
    send("POST", "/consultations", consultation),
    "401:sign_in_to_ask 201 403:psychologists_cannot_ask 403:psychologists_cannot_ask 403:psychologists_cannot_ask 201",
  ],
  "consultations.edit": [on("PATCH", (made) => `/consultations/${made.consultation}`, consultation), AUTHOR_ALONE],
  "consultations.delete": [on("DELETE", (made) => `/consultations/${made.consultation}`), AUTHOR_ALONE],
  "consultations.vote": [
    on("PUT", (made) => `/consultations/${made.consultation}/vote`, { vote: "up" }),
    "401:sign_in_to_vote 200 200 200 200 200",
  ],
  "consultations.mine": [get("/profile/consultations"), SIGNED_IN],
  "consultations.weeklyLimit": [get("/weekly-limit"), SIGNED_IN],
  "consultations.community": [get("/community"), ALL],
  "answers.list": [on("GET", (made) => `/consultations/${made.consultation}/answers`), ALL],
  "answers.create": [
    on("POST", (made) => `/consultations/${made.consultation}/answers`, { content }),
    "401:sign_in_to_answer 403:psychologist_required 403:account_not_verified 201 201 403:psychologist_required",
  ],
  "answers.vote": [
    on("PUT", (made) => `/answers/${made.answer}/vote`, { vote: "up" }),
    "401:sign_in_to_vote 200 200 200 200 200",
  ],
  "answers.templates": [get("/profile/templates"), SIGNED_IN],
  "answers.saveTemplate": [
    send("PUT", "/profile/templates", { content }),
    "401 403:psychologist_required 200 200 200 403:psychologist_required",
  ],
  "answers.deleteTemplate": [(as) => app.call("DELETE", `/profile/templates/${nowhere()}`, {}, as), SIGNED_IN],
  "answers.thank": [on("PUT", (made) => `/answers/${made.answer}/thanks`, { on: true }), SIGNED_IN],
  "answers.reply": [
    on("POST", (made) => `/answers/${made.answer}/replies`, { content }),
    "401:sign_in_to_reply 201 403:psychologists_cannot_reply 403:psychologists_cannot_reply 403:psychologists_cannot_reply 201",
  ],
  "answers.own": [on("GET", (made) => `/answers/${made.answer}`), AUTHOR_ALONE],
  "answers.edit": [on("PATCH", (made) => `/answers/${made.answer}`, { content }), AUTHOR_ALONE],
  "answers.delete": [on("DELETE", (made) => `/answers/${made.answer}`), AUTHOR_ALONE],
  "replies.list": [on("GET", (made) => `/answers/${made.answer}/replies`), ALL],
  "replies.own": [on("GET", (made) => `/replies/${made.reply}`), AUTHOR_ALONE],
  "replies.edit": [on("PATCH", (made) => `/replies/${made.reply}`, { content }), AUTHOR_ALONE],
  "replies.delete": [on("DELETE", (made) => `/replies/${made.reply}`), AUTHOR_ALONE],
  "reviews.put": [
    onPsychologist("PUT", "/review", { rating: 5, comment: "", show_name: false }),
    "401:sign_in_to_review 200 200 200 200 200",
  ],
  "reviews.delete": [onPsychologist("DELETE", "/review"), "401:sign_in_to_review 200 200 200 200 200"],
  "psychologists.ranking": [get("/psychologists"), ALL],
  "psychologists.recordView": [onPsychologist("POST", "/views"), ALL],
  "psychologists.viewCount": [
    onPsychologist("GET", "/views"),
    "401 403:statistics_private 403:statistics_private 403:statistics_private 403:statistics_private 403:statistics_private",
  ],
  "psychologists.statistics": [
    onPsychologist("GET", "/statistics"),
    "401 403:statistics_private 403:statistics_private 403:statistics_private 403:statistics_private 403:statistics_private",
  ],
  "psychologists.get": [onPsychologist("GET", ""), ALL],
  "answers.replied": [get("/profile/replied-answers"), SIGNED_IN],
  "notifications.list": [get("/notifications"), SIGNED_IN],
  "notifications.choices": [get("/notifications/choices"), SIGNED_IN],
  "notifications.choose": [send("PUT", "/notifications/choices", { answers: true }), SIGNED_IN],
  "psychologists.panel": [get("/psychologists/me/panel"), "401 404 200 200 200 404"],
  "uploads.photo": [send("POST", "/profile/photo"), "401 422 422 422 422 422"],
  "safety.helpLines": [get("/help-lines"), ALL],
  "safety.allHelpLines": [get("/help-lines/all"), ALL],
  "search.consultations": [get("/search?q=dormir"), ALL],
  "search.suggest": [get("/search/suggestions?q=dor"), ALL],
  "search.similar": [send("POST", "/search/similar", { title: "No puedo dormir" }), ALL],
  "search.related": [on("GET", (made) => `/consultations/${made.consultation}/related`), ALL],
  "contact.send": [send("POST", "/contact"), "422 422 422 422 422 422"],
  "memberships.plans": [
    get("/plans"),
    "403:psychologists_only 403:psychologists_only 200 200 200 403:psychologists_only",
  ],
  "memberships.beginCheckout": [
    send("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }),
    "401 403:psychologists_only 403:verification_required 201 409:already_subscribed 403:psychologists_only",
  ],
  "memberships.checkout": [
    (as) => app.call("GET", `/checkouts/${nowhere()}`, undefined, as),
    "401 403:psychologists_only 404 404 404 403:psychologists_only",
  ],
  "memberships.reconcileCheckout": [
    (as) => app.call("POST", `/checkouts/${nowhere()}/reconciliation`, {}, as),
    "401 403:psychologists_only 404 404 404 403:psychologists_only",
  ],
  "memberships.cancel": [
    (as) => app.call("DELETE", `/memberships/${nowhere()}`, {}, as),
    "401 403:psychologists_only 404 404 404 403:psychologists_only",
  ],
  "memberships.mine": [get("/memberships"), "401 403:psychologists_only 200 200 200 403:psychologists_only"],
  "memberships.retryCancellation": [
    send("POST", "/cancel-payment-subscription", { subscriptionId: "TEST_none" }),
    "401 403:psychologists_only 404 404 404 403:psychologists_only",
  ],
  "memberships.trackEvent": [
    send("POST", "/events", { event: "view_premium_plans" }),
    "401 403:psychologists_only 201 201 201 403:psychologists_only",
  ],
  "testPayments.decide": [
    (as) => app.call("PUT", `/test-payments/${nowhere()}`, { decision: "approve" }, as),
    "401 403:psychologists_only 404 404 404 403:psychologists_only",
  ],
  "inbox.read": [get("/admin/messages"), ADMIN],
  "inbox.handle": [
    (as) => app.call("PUT", `/admin/messages/${nowhere()}/handling`, { version: "" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.read": [get("/admin/payments"), ADMIN],
  "payments.handle": [
    (as) => app.call("PUT", `/admin/payments/${nowhere()}/handling`, { version: "" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.readNow": [
    (as) => app.call("POST", `/admin/payments/${nowhere()}/reading`, {}, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.offerTie": [
    (as) => app.call("POST", `/admin/payments/${nowhere()}/owner`, { email: people.verified!.email }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.tie": [
    (as) => app.call("PUT", `/admin/payments/${nowhere()}/owner`, { email: people.verified!.email, version: "" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.readCancellation": [
    (as) => app.call("POST", `/admin/cancellations/${nowhere()}/reading`, {}, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "payments.closeCancellation": [
    (as) => app.call("PUT", `/admin/cancellations/${nowhere()}/closing`, { version: "", reason: "Un motivo" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "gold.read": [(as) => app.call("GET", `/admin/psychologists/${nowhere()}/gold`, undefined, as), ADMIN_ABOUT_NO_ONE],
  "gold.grant": [
    (as) =>
      app.call(
        "PUT",
        `/admin/psychologists/${nowhere()}/gold`,
        { version: "", last_day: "2030-01-31", reason: "Un motivo" },
        as,
      ),
    ADMIN_ABOUT_NO_ONE,
  ],
  "gold.end": [
    (as) => app.call("DELETE", `/admin/psychologists/${nowhere()}/gold`, { version: "", reason: "Un motivo" }, as),
    ADMIN_ABOUT_NO_ONE,
  ],
  "funnel.read": [get("/admin/funnel"), ADMIN],
  "admin.summary": [get("/admin/summary"), ADMIN],
  "admin.pendingPsychologists": [get("/admin/psychologists/pending"), ADMIN],
  "admin.approve": [
    (as) => app.call("PUT", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "admin.reject": [
    (as) => app.call("DELETE", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, as),
    ADMIN.replace(/200$/, "409:no_rows_updated"),
  ],
  "admin.psychologists": [get("/admin/psychologists"), ADMIN],
  "admin.consultations": [get("/admin/consultations"), ADMIN],
  "admin.deleteConsultation": [
    async (as) => {
      const { consultation } = await thread();
      const version = await consultationVersion(app, people.admin!, consultation);
      return app.call("DELETE", `/admin/consultations/${consultation}`, { version }, as);
    },
    ADMIN,
  ],
  "admin.undoable": [get("/admin/decisions/undoable"), ADMIN],
  "admin.undo": [(as) => app.call("POST", `/admin/decisions/${nowhere()}/undo`, {}, as), ADMIN_ABOUT_NO_ONE],
  "admin.overdueHelpLines": [get("/admin/help-lines/overdue"), ADMIN],
  "admin.undeliveredMails": [get("/admin/mails"), ADMIN],
  "admin.retryMail": [
    (as) => app.call("POST", `/admin/mails/${nowhere()}/retry`, { version: "" }, as),
    ADMIN_ABOUT_NO_ONE,
  ],
  "demo.mails": [get("/demo/mails"), ALL],
};

test("includes exactly the operations of the contract", () => {
  expect(Object.keys(MATRIX).sort()).toEqual(operations.map(({ name }) => name).sort());
});

describe("the matrix of roles", () => {
  beforeAll(() => useApp(demo));

  describe.each(Object.entries(MATRIX))("%s", (_name, [asked, row]) => {
    test.each(ROLES.map((role, at) => [role, row.split(" ")[at]!] as const))(
      "responds to %s with %s",
      async (role, expected) => {
        const answer = await asked(people[role]);
        const [status, code] = expected.split(":");
        expect(`${answer.status}${code ? `:${answer.body?.code}` : ""}`, answer.text).toBe(code ? expected : status);
      },
    );
  });
});

describe("an administrator without a second factor where DEMO is off", () => {
  beforeAll(() => useApp(production));
  const adminRows = Object.entries(MATRIX).filter(([, [, row]]) => row.startsWith(ADMIN_REFUSALS));

  test.each(adminRows)("%s responds 403 second_factor_required", async (_name, [asked]) => {
    const answer = await asked(people.admin);
    expect(answer, answer.text).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
  });
});
