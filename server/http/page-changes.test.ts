/** Every write of the API announces its change to the page caches or changes nothing public (docs/decisions/0006). */
import pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { accountSteps, psychologistRegistration } from "#test/accounts.ts";
import type { Answer, TestApp, TestUser } from "#test/app.ts";
import { endGold, grantGold } from "#test/gold.ts";
import { operations } from "#test/operations.ts";
import { askIgnoringWeeklyLimit, consentingUser, deleteAccount, putReview } from "#test/own-data.ts";
import {
  begun,
  cancel,
  member,
  app as membershipApp,
  pay,
  paypal,
  psychologist,
  reconcile,
  withPayments,
} from "#test/payment-app.ts";
import { readNow, reportUnmatched, tie } from "#test/payment-problems.ts";
import { uniqueEmail } from "#test/people.ts";
import { photo, upload } from "#test/photos.ts";
import { removalSteps } from "#test/removals.ts";
import { setUpAdmin, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { consultationBody, openThread, postAnswer, postConsultation, postReply, putVote } from "#test/threads.ts";
import { verificationSteps } from "#test/verification.ts";

const { app, mailbox } = setUpTestAppWithMailbox();
const admin = setUpAdmin(app);
withPayments();

/** Writes that announce nothing, by reason. */
const NOTHING_PUBLIC: Record<string, string> = {
  "only its user sees a session, a password or a setting": `accounts.renewSession accounts.signIn accounts.signOut
    accounts.recover accounts.reauthenticate accounts.endSession accounts.changePassword accounts.applyDeviceLink
    accounts.unsubscribe notifications.choose consultations.chooseMails secondFactor.begin secondFactor.confirm
    secondFactor.remove
    secondFactor.renewCodes secondFactor.signIn`,
  "an account is created by its confirmation": "accounts.signUp",
  "sends a mail": "accounts.resendConfirmation accounts.requestRecovery accounts.resendEmailChange admin.retryMail",
  reads: `accounts.pendingConfirmation accounts.emailLink accounts.deviceLink ownData.export search.similar`,
  "no page shows an email": "accounts.changeEmail accounts.cancelEmailChange accounts.applyEmailLink",
  "a withdrawn consent refuses new texts, and the published ones stay": "accounts.setConsent",
  "only its psychologist sees it": `answers.saveTemplate answers.deleteTemplate answers.thank
    psychologists.recordView`,
  "only the administrator sees it": "contact.send memberships.trackEvent inbox.handle payments.handle",
  "Gold begins with the payment": "memberships.beginCheckout",
  "Gold has ended before": "memberships.retryCancellation",
};

const shown = { content: "Otro texto, que todos ven." };
const call = (method: string, path: string, body: unknown, as: TestUser) => app.call(method, path, body, as);
const rateWith = (show_name: boolean, rating = 4) => putReview(app, made.psychologist, made.author, show_name, rating);

let made: Awaited<ReturnType<typeof openThread>> & { reply: string; pending: TestUser };
const steps = { ...removalSteps(app, admin), ...verificationSteps(app, admin, mailbox) };

/** A paid subscription of PayPal whose reference is unknown here. */
async function stray(): Promise<string> {
  const { external } = await begun("monthly", "paypal");
  await membershipApp.sql("delete from checkouts where external_id = $1", [external]);
  paypal.subscriptions.get(external)!.custom_id = "someone-of-another-site";
  await paypal.approve(external);
  return reportUnmatched("paypal", external);
}

type Write = () => Promise<Answer<unknown>>;
/** Prepares a write. The test listens before it sends the write. */
type Prepare = () => Write | Promise<Write>;

/** Writes that drop pages at once, because they edit or delete what pages show. */
const DROPS: Record<string, Prepare> = {
  "accounts.updateProfile": () => () => call("PUT", "/profile", { full_name: "Nombre Nuevo" }, made.author),
  "ownData.close": async () => {
    const person = await consentingUser(app);
    await askIgnoringWeeklyLimit(app, person, { is_anonymous: false });
    return () => deleteAccount(app, person);
  },
  "consultations.edit": () => () =>
    call("PATCH", `/consultations/${made.consultation}`, consultationBody({ title: "Otro título" }), made.author),
  "consultations.delete": async () => {
    const id = await askIgnoringWeeklyLimit(app, made.author);
    return () => call("DELETE", `/consultations/${id}`, undefined, made.author);
  },
  "answers.edit": () => () => call("PATCH", `/answers/${made.answer}`, shown, made.psychologist),
  "answers.delete": () => () => call("DELETE", `/answers/${made.answer}`, undefined, made.psychologist),
  "replies.edit": () => () => call("PATCH", `/replies/${made.reply}`, shown, made.author),
  "replies.delete": () => () => call("DELETE", `/replies/${made.reply}`, undefined, made.author),
  "reviews.delete": async () => {
    await rateWith(false);
    return () => call("DELETE", `/psychologists/${made.psychologist.id}/review`, undefined, made.author);
  },
  "uploads.photo": async () => {
    const file = await photo();
    return () => upload(app, file, made.author);
  },
  "memberships.reconcileCheckout": async () => {
    const { person, checkout, external } = await begun("monthly", "paypal");
    await pay("monthly", "paypal", external);
    return () => reconcile(person, checkout);
  },
  "memberships.cancel": async () => {
    const { person, subscription } = await member();
    return () => cancel(person, subscription);
  },
  "testPayments.decide": async () => {
    const checkout = { plan_type: "monthly", method: "paypal" };
    const { id } = (await call("POST", "/checkouts", checkout, made.psychologist)).body;
    return () => call("PUT", `/test-payments/${id}`, { decision: "approve" }, made.psychologist);
  },
  "payments.readNow": async () => {
    const { external } = await begun("monthly", "paypal");
    await paypal.approve(external);
    const problem = await reportUnmatched("paypal", external);
    return () => readNow(problem);
  },
  "payments.tie": async () => {
    const [problem, { email }] = [await stray(), await psychologist()];
    return () => tie(problem, email);
  },
  "gold.grant": async () => {
    const person = await psychologist();
    return () => grantGold(person, "never");
  },
  "gold.end": async () => {
    const person = await psychologist();
    await grantGold(person, "never");
    return () => endGold(person);
  },
  "admin.approve": () => () => steps.approve(made.pending.id),
  "admin.reject": async () => {
    const { id } = made.psychologist;
    await app.sql("update psychologist_profiles set verified_at = now() - interval '13 months' where id = $1", [id]);
    return () => steps.reject(id);
  },
  "admin.deleteConsultation": async () => {
    const id = await askIgnoringWeeklyLimit(app, made.author);
    return () => steps.remove(id);
  },
};

/** Writes after which pages may be 1 s old, because they add an item or change a number. */
const AGES: Record<string, Prepare> = {
  "accounts.confirm": async () => {
    const { openBrowser, register } = accountSteps(app, mailbox);
    const browser = openBrowser();
    const token = await register(browser, psychologistRegistration(uniqueEmail()));
    return () => browser.call("POST", "/accounts", { token });
  },
  "consultations.create": async () => {
    const person = await app.person();
    return () => postConsultation(app, person);
  },
  "consultations.vote": () => () => putVote(app, "consultations", made.consultation, made.pending),
  "answers.create": async () => {
    const id = await askIgnoringWeeklyLimit(app, made.author);
    const colleague = await app.person({ type: "psychologist" });
    return () => postAnswer(app, id, colleague);
  },
  "answers.vote": () => () => putVote(app, "answers", made.answer, made.author),
  "answers.reply": () => () => postReply(app, made.answer, made.author),
  "reviews.put": () => () => rateWith(false),
};

/** Undoes the decision that was just made. */
async function undo(): Promise<Write> {
  const [decision] = (await call("GET", "/admin/decisions/undoable", undefined, admin)).body;
  return () => call("POST", `/admin/decisions/${decision.id}/undo`, {}, admin);
}

/** Further writes of listed operations that change something else. */
const ALSO_DROPS: Record<string, Prepare> = {
  "reviews.put, which replaces one": async () => {
    await rateWith(false);
    return () => rateWith(true, 1);
  },
  "consultations.edit of noindex alone": async () => {
    const body = consultationBody({ noindex: true });
    return () => call("PATCH", `/consultations/${made.consultation}`, body, made.author);
  },
  "admin.undo of an approval": async () => {
    await steps.approve(made.pending.id);
    return undo();
  },
};
/** The undo of a removal adds a consultation again. */
const ALSO_AGES: Record<string, Prepare> = {
  "admin.undo": async () => {
    await steps.remove(await askIgnoringWeeklyLimit(app, made.author));
    return undo();
  },
};

test("lists every write of the contract once", () => {
  const writes = operations.filter(({ method }) => method !== "GET").map(({ name }) => name);
  const silent = Object.values(NOTHING_PUBLIC).flatMap((names) => names.split(/\s+/));
  const listed = [DROPS, AGES, ALSO_AGES].flatMap((list) => Object.keys(list));
  expect([...listed, ...silent].sort()).toEqual(writes.sort());
});

describe("writes of the API", () => {
  const heard: string[] = [];
  const clients: pg.Client[] = [];
  beforeAll(async () => {
    for (const { databaseUrl } of [app, membershipApp] as TestApp[]) {
      const client = new pg.Client(databaseUrl);
      clients.push(client);
      await client.connect();
      await client.query("listen page_changes");
      client.on("notification", ({ payload }) => heard.push(payload!));
    }
  });
  afterAll(() => Promise.all(clients.map((client) => client.end())));
  /** PostgreSQL sends notifications of earlier commits before the result of a query. */
  const hearAll = () => Promise.all(clients.map((client) => client.query("select 1")));

  /** Returns the notifications that arrive during a write. */
  async function announcedBy(prepare: Prepare): Promise<string[]> {
    const thread = await openThread(app);
    const reply = (await postReply(app, thread.answer, thread.author)).body.id as string;
    made = { ...thread, reply, pending: await app.person({ type: "psychologist", verified: false }) };
    const write = await prepare();
    await hearAll();
    heard.length = 0;
    const { status, text } = await write();
    expect([200, 201], text).toContain(status);
    await hearAll();
    return [...heard];
  }

  test.each(Object.entries({ ...DROPS, ...ALSO_DROPS }))(
    "%s announces which items pages may not show any more",
    async (_name, prepare) => {
      expect((await announcedBy(prepare)).join(" ")).toMatch(/(^| )![0-9a-f-]{36}/);
    },
  );

  test.each(Object.entries({ ...AGES, ...ALSO_AGES }))(
    "%s announces which counts have changed",
    async (_name, prepare) => {
      const announced = (await announcedBy(prepare)).join(" ");
      expect(announced).not.toBe("");
      expect(announced).not.toContain("!");
    },
  );

  test("a new name announces the user's consultations and reviews that show it", async () => {
    let named = "";
    let review = "";
    const announced = await announcedBy(async () => {
      named = await askIgnoringWeeklyLimit(app, made.author, { is_anonymous: false });
      await rateWith(true);
      const [row] = await app.sql<{ id: string }>("select id from psychologist_reviews where user_id = $1", [
        made.author.id,
      ]);
      review = row!.id;
      return () => call("PUT", "/profile", { full_name: "Nombre Nuevo" }, made.author);
    });
    for (const id of [named, review]) expect(announced.join(" ")).toContain(`!${id}`);
    expect(announced.join(" ")).not.toContain(made.consultation);
  });

  test("the author's private thanks announces nothing", async () => {
    const thank = () => call("PUT", `/answers/${made.answer}/thanks`, { on: true }, made.author);
    expect(await announcedBy(() => thank)).toEqual([]);
  });
});
