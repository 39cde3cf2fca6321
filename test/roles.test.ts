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
    `insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at, status, began_at, next_billing_date)
     values ($1, 'test', 'paypal', 'TEST_roles', 'monthly', 499, 'USD', now(), 'active', now(), now() + interval '1 day')`,
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
const MATRIX: [responses: string, names: string][] = [
  [
    ALL,
    `accounts.session accounts.signOut consultations.list consultations.get consultations.community answers.list
    replies.list psychologists.ranking psychologists.recordView psychologists.get safety.helpLines
    safety.allHelpLines search.consultations search.suggest search.similar search.related demo.mails`,
  ],
  [
    SIGNED_IN,
    `accounts.renewSession accounts.account accounts.setConsent accounts.profile
    secondFactor.read ownData.deletionPreview consultations.mine consultations.weeklyLimit answers.templates
    answers.deleteTemplate answers.thank notifications.list notifications.choices notifications.choose`,
  ],
  [EACH("202"), "accounts.signUp accounts.resendConfirmation accounts.requestRecovery"],
  [
    EACH("410"),
    `accounts.pendingConfirmation accounts.confirm accounts.recover accounts.emailLink accounts.applyEmailLink
    accounts.deviceLink accounts.applyDeviceLink accounts.unsubscribe`,
  ],
  [EACH("400"), "accounts.signIn"],
  ["401 422 422 422 422 422", "accounts.reauthenticate accounts.updateProfile uploads.photo"],
  [
    AUTHOR_ALONE,
    `accounts.endSession accounts.resendEmailChange accounts.cancelEmailChange consultations.edit consultations.chooseMails consultations.delete answers.own
    answers.edit answers.delete replies.own replies.edit replies.delete`,
  ],
  [
    SENSITIVE,
    `accounts.changePassword accounts.changeEmail secondFactor.begin secondFactor.confirm secondFactor.remove
    secondFactor.renewCodes ownData.export ownData.close`,
  ],
  [EACH("401:second_factor_expired"), "secondFactor.signIn"],
  [NOT_PSYCHOLOGISTS("ask"), "consultations.create"],
  ["401:sign_in_to_vote 200 200 200 200 200", "consultations.vote answers.vote"],
  [
    "401:sign_in_to_answer 403:psychologist_required 403:account_not_verified 201 201 403:psychologist_required",
    `answers.create`,
  ],
  ["401 403:psychologist_required 200 200 200 403:psychologist_required", "answers.saveTemplate"],
  [NOT_PSYCHOLOGISTS("reply"), "answers.reply"],
  ["401:sign_in_to_review 200 200 200 200 200", "reviews.put reviews.delete"],
  [`401${" 403:statistics_private".repeat(5)}`, "psychologists.viewCount psychologists.statistics"],
  ["401 404 200 200 200 404", "psychologists.panel"],
  [EACH("201"), "contact.send"],
  ["403:psychologists_only 403:psychologists_only 200 200 200 403:psychologists_only", "memberships.plans"],
  [PSYCHOLOGISTS("403:verification_required 201 409:already_subscribed"), "memberships.beginCheckout"],
  [
    PSYCHOLOGISTS("404 404 404"),
    `memberships.checkout memberships.reconcileCheckout memberships.cancel memberships.retryCancellation
    testPayments.decide`,
  ],
  [PSYCHOLOGISTS("200 200 200"), "memberships.mine"],
  [PSYCHOLOGISTS("201 201 201"), "memberships.trackEvent"],
  [
    ADMIN,
    `inbox.read payments.read funnel.read admin.summary admin.pendingPsychologists admin.psychologists
    admin.consultations admin.deleteConsultation admin.undoable admin.overdueHelpLines admin.undeliveredMails`,
  ],
  [
    ADMIN_TOO_LATE,
    `inbox.handle payments.handle payments.readNow payments.tie admin.approve admin.reject
    admin.retryMail`,
  ],
  [ADMIN_ABOUT_NO_ONE, "gold.read gold.grant gold.end admin.undo"],
];
const ROWS = MATRIX.flatMap(([row, names]) => names.split(/\s+/).map((name) => [name, row] as const));

test("includes exactly the operations of the contract", () => {
  expect(ROWS.map(([name]) => name).sort()).toEqual(operations.map(({ name }) => name).sort());
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

  test.each(ROWS)("%s responds to each role with %s", async (name, row) => {
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
  const adminRows = ROWS.filter(([, row]) => row.startsWith(ADMIN_REFUSALS));

  test.each(adminRows)("%s responds 403 second_factor_required", async (name) => {
    const answer = await callAs(name, people.admin);
    expect(answer, answer.text).toMatchObject({ status: 403, body: { code: "second_factor_required" } });
  });
});
