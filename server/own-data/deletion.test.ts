import { randomBytes, randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { waitForBlockedQueries, whileRowLocked } from "#test/locks.ts";
import {
  askIgnoringWeeklyLimit,
  consentingUser,
  consentingUsers,
  deleteAccount,
  expectCountersMatchRows,
  GOLD_PSYCHOLOGIST,
  insertMembership,
  putReview,
  tablesContaining,
} from "#test/own-data.ts";
import { registration } from "#test/people.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import {
  postAnswer,
  postConsultation,
  postReply,
  publishAnswer,
  publishReply,
  putVote,
  resetWeeklyLimit,
} from "#test/threads.ts";
import { lockConsultation } from "../threads/store.ts";

const { app, mailbox } = setUpTestAppWithMailbox();

describe("DELETE /account", () => {
  test("lists the consequences for each kind of text", async () => {
    const [person, psychologist] = await consentingUsers(app, {}, GOLD_PSYCHOLOGIST);
    const consultation = await askIgnoringWeeklyLimit(app, person, { is_anonymous: false });
    await askIgnoringWeeklyLimit(app, person, { is_anonymous: true });
    const answer = await publishAnswer(app, consultation, psychologist);
    await publishReply(app, answer, person);
    await putReview(app, psychologist, person, true);
    await putVote(app, "consultations", consultation, person);
    await putVote(app, "answers", answer, person);
    const preview = async (as: TestUser) => (await app.call("GET", "/account/deletion", undefined, as)).body;
    expect(await preview(psychologist)).toMatchObject({ answers: 1, replies: 0, votes: 0 });
    expect(await preview(person)).toEqual({
      named_consultations: 1,
      anonymous_consultations: 1,
      answers: 0,
      replies: 1,
      named_reviews: 1,
      anonymous_reviews: 0,
      votes: 2,
      membership: null,
    });
    const page = await app.page("/cuenta/eliminar", person);
    expect(page.text).toContain("1 consulta con tu nombre");
    expect(page.text).toContain("1 consulta anónima y 1 comentario");
    expect((await app.page("/cuenta/eliminar")).headers.get("location")).toBe("/auth?volver=/cuenta/eliminar");
  });

  test("leaves the user's id, name, email or session in no row of any table", async () => {
    const psychologist = await consentingUser(app, GOLD_PSYCHOLOGIST);
    const mark = `canario${randomBytes(6).toString("hex")}`;
    const person = await consentingUser(app, { name: `Nombre ${mark}`, email: `${mark}@example.com` });
    const open = await askIgnoringWeeklyLimit(app, person, { is_anonymous: false, author_name: `Seudónimo ${mark}` });
    await askIgnoringWeeklyLimit(app, person, { is_anonymous: true });
    await publishReply(app, await publishAnswer(app, open, psychologist), person);
    await putReview(app, psychologist, person, true);
    await app.call("POST", "/recoveries", { email: person.email });
    await app.call("POST", "/registrations", registration(person.email));
    await app.call("POST", "/account/email", { email: `${mark}@example.org` }, person);
    expect((await tablesContaining(app, mark)).length).toBeGreaterThan(3);

    const key = `avatars/${person.id}-${person.id}.webp`;
    await app.sql("update profiles set avatar_url = $2 where id = $1", [person.id, `/${key}`]);
    expect(await deleteAccount(app, person)).toMatchObject({ status: 200, body: { done: true } });
    const photos = await app.sql("select from pgboss.job where name = 'unused-files' and data->>'key' = $1", [key]);
    expect(photos).toHaveLength(1);
    for (const trace of [person.id, person.cookie.split(/[=.]/)[1]!])
      expect(await tablesContaining(app, trace)).toEqual([]);
    // The email's registrations and links end at once.
    expect(await app.sql("select full_name from pending_registrations where email = $1", [person.email])).toEqual([
      { full_name: "" },
    ]);
    await app.sql("delete from pending_registrations");
    expect(await tablesContaining(app, mark)).toEqual(["deleted_account_emails"]);
    const [mail] = await mailbox.to(app, person.email);
    expect(mail).toMatchObject({ to: { name: "" }, subject: "Tu cuenta de Diván se ha eliminado" });
    // The job of the mail deletes the email too.
    expect(await tablesContaining(app, mark)).toEqual([]);
    expect((await app.call("GET", "/session", undefined, person)).body.user).toBeNull();
    expect(app.log.join("\n")).not.toContain(person.id);
  });

  test("changes no other user's view of anonymous texts or votes", async () => {
    const [person, other] = await consentingUsers(app, {}, {});
    const psychologist = await consentingUser(app, GOLD_PSYCHOLOGIST);
    const anonymous = await askIgnoringWeeklyLimit(app, person, { is_anonymous: true, title: "Anónima que queda" });
    const theirs = await askIgnoringWeeklyLimit(app, other, {
      is_anonymous: false,
      title: "De otra persona, con nombre",
    });
    const answer = await publishAnswer(app, theirs, psychologist);
    await publishReply(app, answer, person);
    await putVote(app, "consultations", theirs, person);
    await putVote(app, "answers", answer, person);
    await putReview(app, psychologist, person, false, 3);
    const look = async () => {
      const pages = [`/consultations/${anonymous}`, `/consultations/${theirs}`, `/psychologists/${psychologist.id}`];
      return Promise.all(pages.map(async (path) => (await app.call("GET", path, undefined, other)).text));
    };
    const before = await look();
    expect(before.join()).toContain("Anónima que queda");
    await deleteAccount(app, person, "delete");
    expect(await look()).toEqual(before);
    // The vote stays in the counter after a later vote of another user.
    const { body } = await putVote(app, "consultations", theirs, other);
    expect(body).toMatchObject({ upvotes: 2, downvotes: 0 });
    await expectCountersMatchRows(app);
  });

  test("deletes texts under the name with everything below them", async () => {
    const [user, person, colleague] = await consentingUsers(
      app,
      {},
      { type: "psychologist" },
      { type: "psychologist" },
    );
    const answer = await publishAnswer(app, await askIgnoringWeeklyLimit(app, user), person);
    await publishReply(app, answer, user);
    await putVote(app, "answers", answer, user);
    await putReview(app, colleague, person, true);
    expect((await deleteAccount(app, person, "keep")).status).toBe(200);
    expect(await tablesContaining(app, answer)).toEqual(["deleted_items"]);
    expect((await app.call("GET", `/psychologists/${colleague.id}`)).body.reviews).toEqual([]);
    await expectCountersMatchRows(app);
  });

  test("preserves the label of a colleague's review without a name", async () => {
    const [person, psychologist] = await consentingUsers(app, { type: "psychologist" }, { type: "psychologist" });
    await putReview(app, psychologist, person, false);
    const label = async () => (await app.call("GET", `/psychologists/${psychologist.id}`)).body.reviews[0].author_label;
    expect(await label()).toBe("Colega");
    await deleteAccount(app, person, "keep");
    expect(await label()).toBe("Colega");
  });

  test("cancels a monthly membership at the provider without deleting its payments", async () => {
    const person = await consentingUser(app, GOLD_PSYCHOLOGIST);
    const membership = await insertMembership(app, person);
    await app.sql(
      `insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status)
       values ($1, 'paypal', $2, 499, 'USD', 'completed')`,
      [membership, randomUUID()],
    );
    for (const [end, held] of [
      ["-4 days", null],
      ["9 days", "monthly"],
    ]) {
      await app.sql("update checkouts set next_billing_date = now() + $2::interval where id = $1", [membership, end]);
      expect((await app.call("GET", "/account/deletion", undefined, person)).body.membership).toBe(held);
      const { text } = await app.page("/cuenta/eliminar", person);
      expect(text.includes("la cancelamos también en el servicio de pago")).toBe(held !== null);
    }
    await deleteAccount(app, person);
    const [row] = await app.sql(
      "select psychologist_id, status, ended_by, end_wanted_at, due_at from checkouts where id = $1",
      [membership],
    );
    expect(row).toEqual({
      ...{ psychologist_id: null, status: "cancelled", ended_by: "person" },
      ...{ end_wanted_at: expect.any(Date), due_at: row!.end_wanted_at },
    });
    expect(await app.sql("select from pgboss.job where name = 'payment-work'")).not.toEqual([]);
    expect(await app.sql("select amount from payment_transactions where subscription_id = $1", [membership])).toEqual([
      { amount: 499 },
    ]);
    const recorded = await app.sql("select action, actor_id, details from audit_log where target_id = $1", [
      membership,
    ]);
    expect(recorded).toEqual([
      { action: "membership_cancelled", actor_id: null, details: { provider: "paypal", plan_type: "monthly" } },
    ]);
  });

  test("counts a lifetime membership of a deleted account in the promotion", async () => {
    const [person, looker] = await consentingUsers(app, { type: "psychologist" }, { type: "psychologist" });
    const left = async () => (await app.call("GET", "/plans", undefined, looker)).body.promotion.places_left as number;
    const before = await left();
    await insertMembership(app, person, { provider: "test", plan: "lifetime" });
    expect(await left()).toBe(before - 1);
    const page = await app.page("/cuenta/eliminar", person);
    expect(page.text).toContain("Tu membresía Gold de por vida, sin devolución.");
    await deleteAccount(app, person);
    expect(await left()).toBe(before - 1);
  });

  test("responds 200 once and 401 to 5 concurrent requests", async () => {
    const person = await consentingUser(app);
    await askIgnoringWeeklyLimit(app, person, { is_anonymous: false });
    const answers = await Promise.all(Array.from({ length: 6 }, () => deleteAccount(app, person)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(5).fill(401)]);
    expect(await mailbox.to(app, person.email)).toHaveLength(1);
  });

  test("leaves no named text and no wrong counter during concurrent writes", async () => {
    const [user, psychologist] = await consentingUsers(app, {}, GOLD_PSYCHOLOGIST);
    const person = await consentingUser(app);
    const leavers = [
      person,
      await consentingUser(app, { type: "psychologist", gold: "active", name: "Psicóloga que se va" }),
    ];
    const open = await askIgnoringWeeklyLimit(app, person, { is_anonymous: false, title: "Con nombre, se va" });
    const theirs = await askIgnoringWeeklyLimit(app, user);
    const answer = await publishAnswer(app, theirs, psychologist);
    await resetWeeklyLimit(app, person);
    const named = { is_anonymous: false, author_name: "Nombre que se va" };
    const acts = Array.from({ length: 6 }, (_, at) => [
      postConsultation(app, person, named),
      putVote(app, "consultations", theirs, person, at % 2 ? "up" : "down"),
      putVote(app, "answers", answer, person),
      postReply(app, answer, person, `Comentario ${at}`),
      postAnswer(app, open, psychologist, `Respuesta ${at}`),
      postAnswer(app, theirs, leavers[1]!, `De quien se va ${at}`),
      putVote(app, "consultations", open, user),
      putReview(app, psychologist, person, true, 2),
      ...(at === 2 ? leavers.map((leaver) => deleteAccount(app, leaver, "keep")) : []),
    ]).flat();
    const statuses = (await Promise.all(acts)).map((one) => one.status);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    for (const leaver of leavers)
      if ((await app.sql("select from profiles where id = $1", [leaver.id])).length)
        expect((await deleteAccount(app, leaver, "keep")).status).toBe(200);
    expect(await app.sql("select id from consultations where not is_anonymous and user_id is null")).toEqual([]);
    expect(await app.sql("select id from psychologist_reviews where show_name and user_id is null")).toEqual([]);
    await expectCountersMatchRows(app);
  });

  test("counts a review that is created concurrently", async () => {
    const [person, other, psychologist] = await consentingUsers(app, {}, {}, { type: "psychologist" });
    await putReview(app, psychologist, person, true);
    const made = await whileRowLocked(app, "psychologist_profiles", psychologist.id, [
      () => putReview(app, psychologist, other, false, 5),
      () => deleteAccount(app, person),
    ]);
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    await expectCountersMatchRows(app);
  });

  test("deletes a consultation that is published while the deletion waits for a lock", async () => {
    const person = await consentingUser(app);
    const first = await askIgnoringWeeklyLimit(app, person, { is_anonymous: false });
    let second = "";
    const closing = await app.context.db.transaction().execute(async (tx) => {
      await lockConsultation(tx, first);
      const waiting = deleteAccount(app, person);
      await waitForBlockedQueries(app, 1);
      second = await askIgnoringWeeklyLimit(app, person, { is_anonymous: false, title: "Publicada mientras tanto" });
      return { waiting };
    });
    expect((await closing.waiting).status).toBe(200);
    for (const id of [first, second]) expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });
});
