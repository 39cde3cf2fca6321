import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import type { Answer, TestApp, TestUser } from "./app.ts";
import { validInput } from "./hostile-input.ts";
import { FOR_VISITORS, operations } from "./operations.ts";
import { personOfEachRole, ROLES, setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, publishReply, resetWeeklyLimit } from "./threads.ts";
import { consultationVersion } from "./versions.ts";

const demo = setUpTestApp();
const production = setUpTestApp({
  environment: { DEMO: "off", SMTP_URL: "smtp://127.0.0.1:1" },
  overrides: { mailer: { send: async () => {}, close: () => {} } },
});
/** The application that the rows call. */
let app: TestApp;
let people: Awaited<ReturnType<typeof personOfEachRole>>;
let author: TestUser;
let colleague: TestUser;

/** Makes the rows call an application, and adds an account of each role to it. */
async function useApp(used: TestApp): Promise<void> {
  app = used;
  author = await app.person();
  colleague = await app.person({ type: "psychologist", gold: "active" });
  people = await personOfEachRole(app);
  await app.sql(
    `with made as (insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at)
       values ($1, 'test', 'paypal', 'TEST_roles', 'monthly', 499, 'USD', now()) returning *)
     insert into subscriptions (checkout_id, psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date)
     select id, psychologist_id, provider, external_id, plan_type, amount, currency, 'active', now() + interval '1 day' from made`,
    [people.gold!.id],
  );
  const { consultation, answer, reply } = await thread();
  shared = { consultations: consultation, answers: answer, replies: reply, psychologists: colleague.id };
}

/**
 * Ids of the thread and the psychologist that requests share, by the beginning of a path. Almost all requests are refused
 * or change only the viewer's part.
 */
let shared: Record<string, string>;

/** Publishes another user's consultation with an answer and a reply. */
async function thread() {
  await resetWeeklyLimit(app, author);
  const consultation = await ask(app, author);
  const content = "Un texto de prueba.";
  const answer = await publishAnswer(app, consultation, colleague, content);
  const reply = await publishReply(app, answer, author, content);
  return { consultation, answer, reply };
}

/** Inputs that are not simply valid, because success would end a session or change what other rows need. */
const INPUTS: Record<string, Record<string, unknown>> = {
  "accounts.signOut": { scope: "others" },
  "reviews.put": { rating: 5, comment: "", show_name: false },
};

/** Calls an operation with valid input. Ids name the shared thread or its psychologist, otherwise nothing. */
async function callAs(name: string, as: TestUser | null): Promise<Answer<{ code?: string }>> {
  const operation = operations.find((one) => one.name === name)!;
  const { method } = operation;
  if (name === "admin.deleteConsultation") {
    const { consultation } = await thread();
    const version = await consultationVersion(app, people.admin!, consultation);
    return app.call(method, `/admin/consultations/${consultation}`, { version }, as);
  }
  const [, kind] = /^\/(\w+)/.exec(operation.path)!;
  const path = operation.path.replace("{id}", shared[kind!] ?? randomUUID());
  const query = operation.fields.q ? "?q=dormir" : "";
  return method === "GET"
    ? app.call(method, path + query, undefined, as)
    : app.call(method, path, INPUTS[name] ?? validInput(operation), as);
}

/**
 * The expected response of every operation for each role: a status, or a status and a code (specification, section 6).
 */
const ALL = "200 200 200 200 200 200";
const SIGNED_IN = "401 200 200 200 200 200";
const ADMIN_REFUSALS = "401 403:admin_only 403:admin_only 403:admin_only 403:admin_only";
const ADMIN = `${ADMIN_REFUSALS} 200`;
const ADMIN_ABOUT_NO_ONE = `${ADMIN_REFUSALS} 404`;
const ADMIN_TOO_LATE = `${ADMIN_REFUSALS} 409:no_rows_updated`;
const AUTHOR_ALONE = "401 404 404 404 404 404";
const EACH = (response: string) => Array(6).fill(response).join(" ");
/** Refusals of a visitor and others around the responses to psychologists. */
const PSYCHOLOGISTS = (responses: string) => `401 403:psychologists_only ${responses} 403:psychologists_only`;
/** Psychologists may not; other accounts may. */
const NOT_PSYCHOLOGISTS = (verb: string) =>
  `401:sign_in_to_${verb} 201${` 403:psychologists_cannot_${verb}`.repeat(3)} 201`;
/** The accounts have not entered the password within the last 10 minutes. */
const SENSITIVE = `401${" 403:reauthentication_required".repeat(5)}`;
const MATRIX: Record<string, string> = {
  "accounts.session": ALL,
  "accounts.renewSession": SIGNED_IN,
  "accounts.signUp": EACH("202"),
  "accounts.resendConfirmation": EACH("202"),
  "accounts.pendingConfirmation": EACH("410"),
  "accounts.confirm": EACH("410"),
  "accounts.signIn": EACH("400"),
  "accounts.signOut": ALL,
  "accounts.requestRecovery": EACH("202"),
  "accounts.recover": EACH("410"),
  "accounts.reauthenticate": "401 422 422 422 422 422",
  "accounts.endSession": AUTHOR_ALONE,
  "accounts.account": SIGNED_IN,
  "accounts.changePassword": SENSITIVE,
  "accounts.changeEmail": SENSITIVE,
  "accounts.resendEmailChange": AUTHOR_ALONE,
  "accounts.cancelEmailChange": SIGNED_IN,
  "accounts.setConsent": SIGNED_IN,
  "accounts.emailLink": EACH("410"),
  "accounts.applyEmailLink": EACH("410"),
  "accounts.deviceLink": EACH("410"),
  "accounts.applyDeviceLink": EACH("410"),
  "accounts.unsubscribe": EACH("410"),
  "accounts.profile": SIGNED_IN,
  "accounts.updateProfile": "401 422 422 422 422 422",
  "secondFactor.read": SIGNED_IN,
  "secondFactor.begin": SENSITIVE,
  "secondFactor.confirm": SENSITIVE,
  "secondFactor.remove": SENSITIVE,
  "secondFactor.renewCodes": SENSITIVE,
  "secondFactor.signIn": EACH("401:second_factor_expired"),
  "ownData.export": SENSITIVE,
  "ownData.deletionPreview": SIGNED_IN,
  "ownData.close": SENSITIVE,
  "consultations.list": ALL,
  "consultations.get": ALL,
  "consultations.create": NOT_PSYCHOLOGISTS("ask"),
  "consultations.edit": AUTHOR_ALONE,
  "consultations.delete": AUTHOR_ALONE,
  "consultations.vote": "401:sign_in_to_vote 200 200 200 200 200",
  "consultations.mine": SIGNED_IN,
  "consultations.weeklyLimit": SIGNED_IN,
  "consultations.community": ALL,
  "answers.list": ALL,
  "answers.create":
    "401:sign_in_to_answer 403:psychologist_required 403:account_not_verified 201 201 403:psychologist_required",
  "answers.vote": "401:sign_in_to_vote 200 200 200 200 200",
  "answers.templates": SIGNED_IN,
  "answers.saveTemplate": "401 403:psychologist_required 200 200 200 403:psychologist_required",
  "answers.deleteTemplate": SIGNED_IN,
  "answers.thank": SIGNED_IN,
  "answers.reply": NOT_PSYCHOLOGISTS("reply"),
  "answers.own": AUTHOR_ALONE,
  "answers.edit": AUTHOR_ALONE,
  "answers.delete": AUTHOR_ALONE,
  "replies.list": ALL,
  "replies.own": AUTHOR_ALONE,
  "replies.edit": AUTHOR_ALONE,
  "replies.delete": AUTHOR_ALONE,
  "reviews.put": "401:sign_in_to_review 200 200 200 200 200",
  "reviews.delete": "401:sign_in_to_review 200 200 200 200 200",
  "psychologists.ranking": ALL,
  "psychologists.recordView": ALL,
  "psychologists.viewCount": `401${" 403:statistics_private".repeat(5)}`,
  "psychologists.statistics": `401${" 403:statistics_private".repeat(5)}`,
  "psychologists.get": ALL,
  "answers.replied": SIGNED_IN,
  "notifications.list": SIGNED_IN,
  "notifications.choices": SIGNED_IN,
  "notifications.choose": SIGNED_IN,
  "psychologists.panel": "401 404 200 200 200 404",
  "uploads.photo": "401 422 422 422 422 422",
  "safety.helpLines": ALL,
  "safety.allHelpLines": ALL,
  "search.consultations": ALL,
  "search.suggest": ALL,
  "search.similar": ALL,
  "search.related": ALL,
  "contact.send": EACH("201"),
  "memberships.plans": "403:psychologists_only 403:psychologists_only 200 200 200 403:psychologists_only",
  "memberships.beginCheckout": PSYCHOLOGISTS("403:verification_required 201 409:already_subscribed"),
  "memberships.checkout": PSYCHOLOGISTS("404 404 404"),
  "memberships.reconcileCheckout": PSYCHOLOGISTS("404 404 404"),
  "memberships.cancel": PSYCHOLOGISTS("404 404 404"),
  "memberships.mine": PSYCHOLOGISTS("200 200 200"),
  "memberships.retryCancellation": PSYCHOLOGISTS("404 404 404"),
  "memberships.trackEvent": PSYCHOLOGISTS("201 201 201"),
  "testPayments.decide": PSYCHOLOGISTS("404 404 404"),
  "inbox.read": ADMIN,
  "inbox.handle": ADMIN_TOO_LATE,
  "payments.read": ADMIN,
  "payments.handle": ADMIN_TOO_LATE,
  "payments.readNow": ADMIN_TOO_LATE,
  "payments.offerTie": ADMIN_TOO_LATE,
  "payments.tie": ADMIN_TOO_LATE,
  "payments.readCancellation": ADMIN_TOO_LATE,
  "payments.closeCancellation": ADMIN_TOO_LATE,
  "gold.read": ADMIN_ABOUT_NO_ONE,
  "gold.grant": ADMIN_ABOUT_NO_ONE,
  "gold.end": ADMIN_ABOUT_NO_ONE,
  "funnel.read": ADMIN,
  "admin.summary": ADMIN,
  "admin.pendingPsychologists": ADMIN,
  "admin.approve": ADMIN_TOO_LATE,
  "admin.reject": ADMIN_TOO_LATE,
  "admin.psychologists": ADMIN,
  "admin.consultations": ADMIN,
  "admin.deleteConsultation": ADMIN,
  "admin.undoable": ADMIN,
  "admin.undo": ADMIN_ABOUT_NO_ONE,
  "admin.overdueHelpLines": ADMIN,
  "admin.undeliveredMails": ADMIN,
  "admin.retryMail": ADMIN_ABOUT_NO_ONE,
  "demo.mails": ALL,
};

test("includes exactly the operations of the contract", () => {
  expect(Object.keys(MATRIX).sort()).toEqual(operations.map(({ name }) => name).sort());
});

test("responds with errors of a body to a visitor only if visitors may send it", async () => {
  const checked: string[] = [];
  for (const { name, method, path } of operations) {
    const sent = method === "GET" ? undefined : { x: 1 };
    const { body } = await demo.call(method, path.replaceAll(/\{[^}]+\}/g, "1"), sent);
    if ((body as { code?: string })?.code === "invalid_input") checked.push(name);
  }
  expect(checked).toEqual(FOR_VISITORS);
});

describe("the matrix of roles", () => {
  beforeAll(() => useApp(demo));

  test.each(Object.entries(MATRIX))("%s responds to each role with %s", async (name, row) => {
    const found: string[] = [];
    for (const [at, expected] of row.split(" ").entries()) {
      const { status, body } = await callAs(name, people[ROLES[at]!]);
      found.push(expected.includes(":") ? `${status}:${body?.code}` : `${status}`);
    }
    expect(found.join(" ")).toBe(row);
  });
});

describe("an administrator without a second factor where DEMO is off", () => {
  beforeAll(() => useApp(production));
  const adminRows = Object.entries(MATRIX).filter(([, row]) => row.startsWith(ADMIN_REFUSALS));

  test.each(adminRows)("%s responds 403 second_factor_required", async (name) => {
    const answer = await callAs(name, people.admin);
    expect(answer, answer.text).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
  });
});
