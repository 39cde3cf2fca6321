import { randomBytes, randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { CONSENTS } from "#shared/lists.ts";
import { ask, openTestApp, type Person, type PersonOptions, type TestApp } from "#test/app.ts";
import { untilBlocked, whileLocked } from "#test/locks.ts";
import { openMailbox } from "#test/mailbox.ts";
import { hashPassword } from "../accounts/password.ts";
import { housekeeping } from "../background.ts";
import { lockConsultation } from "../threads/store.ts";
import { sweepAnonymisedTexts } from "./jobs.ts";
import { ANONYMISED_DELAY, anonymisedTextDueAt } from "./rules.ts";

let app: TestApp;
const mailbox = openMailbox();
beforeAll(async () => {
  app = await openTestApp({ overrides: { mailer: mailbox.mailer } });
});
afterAll(() => app.close());
beforeEach(() => {
  app.setNow(null);
  mailbox.sent.length = 0;
});

const PASSWORD = "un caballo sin montura";
const QUESTION = { title: "Una pregunta de prueba", content: "Un texto de prueba con más de veinte caracteres." };

/** Someone who gave their password just now, with consents as after registering. */
async function someone(options: PersonOptions = {}): Promise<Person> {
  const person = await app.person(options);
  await app.sql("update sessions set password_at = now(), device = 'Canario en Canarias' where account_id = $1", [
    person.id,
  ]);
  for (const kind of CONSENTS)
    await app.sql("insert into consents (profile_id, kind, version, accepted_at) values ($1, $2, '1', now())", [
      person.id,
      kind,
    ]);
  return person;
}

/** A consultation asked at once, whatever was asked this week. */
async function asked(person: Person, more: Record<string, unknown> = {}): Promise<string> {
  await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
  return ask(app, person, { ...QUESTION, ...more });
}
const answered = async (by: Person, consultation: string, content = "Una respuesta de prueba.") =>
  (await app.call("POST", `/consultations/${consultation}/answers`, { content }, by)).body.id as string;
const replied = async (by: Person, answer: string) =>
  (await app.call("POST", `/answers/${answer}/replies`, { content: "Un comentario de prueba." }, by)).body.id as string;
const reviewed = (by: Person, psychologist: Person, show_name: boolean, rating = 1) =>
  app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating, comment: "Una reseña.", show_name }, by);
const close = (person: Person, nameless: "delete" | "keep" = "delete") =>
  app.call("DELETE", "/account", { nameless }, person);
const exported = (person: Person) => app.call("POST", "/account/export", {}, person);

/** Whether every stored number is what its rows say. */
async function expectCountersRight() {
  expect(
    await app.sql(
      `select id from consultations c where upvotes <> (select count(*) from consultation_votes where consultation_id = c.id and vote_type = 'up')
         or downvotes <> (select count(*) from consultation_votes where consultation_id = c.id and vote_type = 'down')
         or response_count <> (select count(*) from consultation_responses where consultation_id = c.id)
       union all select id from consultation_responses r where upvotes <> (select count(*) from response_votes where response_id = r.id and vote_type = 'up')
       union all select id from psychologist_profiles p where total_responses <> (select count(*) from consultation_responses where psychologist_id = p.id)
         or total_votes <> (select coalesce(sum(votes), 0) from consultation_responses where psychologist_id = p.id)
         or total_reviews <> (select count(*) from psychologist_reviews where psychologist_id = p.id)
         or rating is distinct from (select round(avg(rating), 1) from psychologist_reviews where psychologist_id = p.id)`,
    ),
  ).toEqual([]);
}

/** Tables of ours in whose rows a text stands, wherever it stands. */
async function tablesWith(text: string): Promise<string[]> {
  const tables = await app.sql<{ name: string }>(
    "select table_name as name from information_schema.tables where table_type = 'BASE TABLE' and table_schema = 'public'",
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await app.sql<{ n: number }>(
      `select count(*)::integer as n from public."${name}" kept where position(lower($1) in lower(kept::text)) > 0`,
      [text],
    );
    if (row!.n) found.push(name);
  }
  return found.sort();
}

/** When each of these anonymised texts goes, or is written anew where it stays. */
const moments = (ids: string[]) =>
  app.sql<{ id: string; goes_at: Date | null; settles_at: Date | null }>(
    `select id, goes_at, settles_at from consultations where id = any($1)
     union all select id, goes_at, settles_at from consultation_replies where id = any($1)
     union all select id, goes_at, settles_at from psychologist_reviews where id = any($1)`,
    [ids],
  );
const HOURS = 3_600_000;

describe("one's data as a file", () => {
  test("holds everything that is kept: texts, votes, reviews, consents, sessions, memberships and payments", async () => {
    const [other, colleague] = [await someone(), await someone({ type: "psychologist", gold: "active" })];
    const person = await someone({ name: "Rosa Canario" });
    const anonymous = await asked(person, { is_anonymous: true, title: "Anónima y mía", category: "Duelo" });
    const open = await asked(person, { is_anonymous: false, title: "Con nombre y mía" });
    const answer = await answered(colleague, open);
    const reply = await replied(person, answer);
    await app.call("PUT", `/consultations/${anonymous}/vote`, { vote: "up" }, person);
    await app.call("PUT", `/answers/${answer}/vote`, { vote: "down" }, person);
    await reviewed(person, colleague, false, 4);
    await app.call("POST", "/account/email", { email: "otra@correo.example" }, person);
    // Another user's, which is none of this person's business.
    await asked(other, { title: "De otra persona" });

    const { status, body } = await exported(person);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      account: { id: person.id, full_name: "Rosa Canario", email: person.email, user_type: "user" },
      psychologist: null,
      sessions: [{ device: "Canario en Canarias" }],
      email_changes: [{ old_email: person.email, new_email: "otra@correo.example", confirmed_at: null }],
      consultations: [
        { id: anonymous, title: "Anónima y mía", is_anonymous: true, category: "Duelo", upvotes: 1 },
        { id: open, title: "Con nombre y mía", is_anonymous: false, response_count: 1 },
      ],
      replies: [{ id: reply, answer_id: answer, consultation_id: open }],
      reviews: [{ psychologist_id: colleague.id, psychologist_name: colleague.full_name, rating: 4, show_name: false }],
      consultation_votes: [{ consultation_id: anonymous, vote: "up" }],
      answer_votes: [{ answer_id: answer, vote: "down" }],
      answers: [],
      memberships: [],
      payments: [],
      checkouts: [],
    });
    expect(body.consents).toHaveLength(3);
    expect(JSON.stringify(body)).not.toContain("De otra persona");
    expect(JSON.stringify(body)).not.toMatch(/argon2id|hash|secret/);
  });

  test("of a psychologist holds profile, answers, memberships and payments too", async () => {
    const [person, user] = [await someone({ type: "psychologist", country: "Chile" }), await someone()];
    const consultation = await asked(user, { title: "La pregunta de otra persona" });
    const answer = await answered(person, consultation, "Mi respuesta.");
    const begun = await app.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, person);
    await app.call("PUT", `/test-payments/${begun.body.id}`, { decision: "approve" }, person);
    // One that was not paid was begun all the same.
    const open = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "paypal" }, person);
    expect(open.status, open.text).toBe(201);
    await app.sql("insert into profile_view_days values ($1, '2026-11-20', 7)", [person.id]);
    const { body } = await exported(person);
    expect(body).toMatchObject({
      psychologist: {
        license_number: "MP 1234",
        country: "Chile",
        total_responses: 1,
        profile_visits: [{ visits: 7 }],
      },
      answers: [{ id: answer, consultation_title: "La pregunta de otra persona", content: "Mi respuesta." }],
      memberships: [{ provider: "test", plan_type: "monthly", amount: 499, currency: "USD", status: "active" }],
      payments: [{ provider: "test", amount: 499, currency: "USD", status: "completed" }],
      checkouts: [
        { plan_type: "monthly", status: "paid" },
        { plan_type: "lifetime", status: "open" },
      ],
    });
    expect(body.psychologist.profile_visits).toEqual([{ day: "2026-11-20", visits: 7 }]);
    // Of who asked, not even the id.
    expect(JSON.stringify(body)).not.toContain(user.id);
  });

  test("reads every table that names a person", async () => {
    // By the foreign keys: a new table that leads to a person has to be thought of here.
    const references = await app.sql<{ table: string }>(
      `select distinct conrelid::regclass::text as table from pg_constraint
       where contype = 'f' and confrelid::regclass::text in ('profiles', 'accounts', 'psychologist_profiles', 'second_factors')`,
    );
    const IN_THE_FILE = [
      "accounts",
      "checkouts",
      "consents",
      "consultation_replies",
      "consultation_responses",
      "consultation_votes",
      "consultations",
      "email_changes",
      "known_devices",
      "mail_choices",
      "profile_view_days",
      "psychologist_profiles",
      "psychologist_reviews",
      "response_votes",
      "sessions",
      "subscriptions",
    ];
    const NOT = [
      "audit_log", // what the administrator did in that office
      "payment_problems", // notes of the administrator about a payment that is in the file
      "profile_views", // marks of visitors, who are others
      "recovery_codes", // secrets
      "second_factors", // secrets
      "sign_in_challenges", // secrets, for minutes
    ];
    expect(references.map(({ table }) => table).sort()).toEqual([...IN_THE_FILE, ...NOT].sort());
  });

  test("comes as a download from the page, and a wrong password leads back with the words beside the field", async () => {
    const person = await someone();
    await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, await hashPassword(PASSWORD)]);
    const file = await app.form("/cuenta/datos", {}, person);
    expect(file.status).toBe(200);
    expect(file.headers.get("content-type")).toBe("application/json; charset=utf-8");
    expect(file.headers.get("content-disposition")).toMatch(/^attachment; filename="mis-datos-\d{4}-\d\d-\d\d\.json"$/);
    expect(file.headers.get("cache-control")).toBe("private, no-store");
    expect(file.body).toMatchObject({ account: { id: person.id } });
    await app.sql("update sessions set password_at = null where account_id = $1", [person.id]);
    const without = await app.form("/cuenta/datos", {}, person);
    expect([without.status, without.headers.get("location")]).toEqual([
      302,
      "/cuenta?datos=reauthentication_required#datos",
    ]);
    const wrong = await app.form("/cuenta/datos", { current_password: "no es la mía" }, person);
    expect([wrong.status, wrong.headers.get("location")]).toEqual([302, "/cuenta?datos=contrasena#datos"]);
    expect((await app.page("/cuenta?datos=contrasena", person)).text).toContain("Esa no es tu contraseña.");
    expect((await app.page("/cuenta?datos=__proto__", person)).status).toBe(200);
    const right = await app.form("/cuenta/datos", { current_password: PASSWORD }, person);
    expect([right.status, right.body]).toMatchObject([200, { account: { id: person.id } }]);
  });
});

describe("consents", () => {
  const put = (person: Person, kind: string, given: boolean) =>
    app.call("PUT", "/account/consents", { kind, given }, person);
  const consents = async (person: Person) => (await app.call("GET", "/account", undefined, person)).body.consents;

  test("are listed with version and time; withdrawing and giving again stay on record", async () => {
    const person = await someone();
    expect(await consents(person)).toHaveLength(3);
    const at = new Date("2027-03-04T05:06:07.000Z");
    await app.sql("update sessions set expires_at = '2027-12-31', seen_at = '2027-03-04' where account_id = $1", [
      person.id,
    ]);
    app.setNow(at);
    expect((await put(person, "health_data", false)).status).toBe(200);
    expect((await put(person, "health_data", false)).status).toBe(200);
    app.setNow(new Date(at.getTime() + 1000));
    expect((await put(person, "health_data", true)).status).toBe(200);
    const history = (await consents(person)).filter((one: { kind: string }) => one.kind === "health_data");
    expect(history).toEqual([
      expect.objectContaining({ version: "1", withdrawn_at: at.toISOString() }),
      expect.objectContaining({ accepted_at: "2027-03-04T05:06:08.000Z", withdrawn_at: null }),
    ]);
  });

  test("given ten times at once are given once", async () => {
    const person = await someone();
    await put(person, "transfer_abroad", false);
    const answers = await Promise.all(Array.from({ length: 10 }, () => put(person, "transfer_abroad", true)));
    expect(answers.map((answer) => answer.status)).toEqual(Array(10).fill(200));
    const given = await app.sql(
      "select from consents where profile_id = $1 and kind = 'transfer_abroad' and withdrawn_at is null",
      [person.id],
    );
    expect(given).toHaveLength(1);
  });

  test.each([...CONSENTS])(
    "without %s nothing new is published; what is there can be corrected and deleted",
    async (kind) => {
      const [person, psychologist] = [await someone(), await someone({ type: "psychologist", gold: "active" })];
      const consultation = await asked(person);
      const answer = await answered(psychologist, consultation);
      await put(person, kind, false);
      await put(psychologist, kind, false);
      const refused = [
        await app.call("POST", "/consultations", { ...QUESTION, country: "Chile", is_anonymous: true }, person),
        await app.call("POST", `/answers/${answer}/replies`, { content: "Gracias." }, person),
        await reviewed(person, psychologist, false),
        await app.call("POST", `/consultations/${consultation}/answers`, { content: "Otra." }, psychologist),
      ];
      for (const one of refused) expect([one.status, one.body.code]).toEqual([403, "consent_withdrawn"]);
      const corrected = { ...QUESTION, title: "Corregida", country: "Chile", is_anonymous: true };
      expect((await app.call("PATCH", `/consultations/${consultation}`, corrected, person)).status).toBe(200);
      expect((await app.call("DELETE", `/answers/${answer}`, {}, psychologist)).status).toBe(200);
      await put(person, kind, true);
      await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
      const again = await app.call(
        "POST",
        "/consultations",
        { ...QUESTION, country: "Chile", is_anonymous: true },
        person,
      );
      expect(again.status).toBe(201);
    },
  );

  test("are withdrawn with a form alone, and the page says before what follows", async () => {
    const person = await someone();
    expect((await app.page("/cuenta", person)).text).toContain("no podemos guardar nada nuevo sobre tu salud");
    const sent = await app.form("/cuenta", { intent: "consent", kind: "health_data" }, person);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/cuenta"]);
    expect((await app.page("/cuenta", person)).text).toContain("Darlo otra vez");
    await app.form("/cuenta", { intent: "consent", kind: "health_data", given: "on" }, person);
    expect((await app.page("/cuenta", person)).text).not.toContain("Darlo otra vez");
  });
});

describe("deleting an account", () => {
  test("says before what goes and what stays", async () => {
    const [person, psychologist] = [await someone(), await someone({ type: "psychologist", gold: "active" })];
    const consultation = await asked(person, { is_anonymous: false });
    await asked(person, { is_anonymous: true });
    await replied(person, await answered(psychologist, consultation));
    await reviewed(person, psychologist, true);
    await app.call("PUT", `/consultations/${consultation}/vote`, { vote: "up" }, person);
    expect((await app.call("GET", "/account/closing", undefined, person)).body).toEqual({
      named_consultations: 1,
      anonymous_consultations: 1,
      answers: 0,
      replies: 1,
      named_reviews: 1,
      nameless_reviews: 0,
      votes: 1,
      membership: null,
    });
    const page = await app.page("/cuenta/eliminar", person);
    expect(page.text).toContain("1 consulta con tu nombre");
    expect(page.text).toContain("1 consulta anónima y 1 comentario");
    expect((await app.page("/cuenta/eliminar")).headers.get("location")).toBe("/auth?volver=/cuenta/eliminar");
  });

  test("leaves nothing that names the person: no row of any table holds id, name, address or session", async () => {
    const psychologist = await someone({ type: "psychologist", gold: "active" });
    const mark = `canario${randomBytes(6).toString("hex")}`;
    const person = await someone({ name: `Nombre ${mark}`, email: `${mark}@example.com` });
    const open = await asked(person, { is_anonymous: false, author_name: `Seudónimo ${mark}` });
    await asked(person, { is_anonymous: true });
    await replied(person, await answered(psychologist, open));
    await reviewed(person, psychologist, true);
    await app.call("POST", "/recoveries", { email: person.email });
    await app.call("POST", "/account/email", { email: `${mark}@example.org` }, person);
    expect((await tablesWith(mark)).length).toBeGreaterThan(3);

    expect(await close(person)).toMatchObject({ status: 200, body: { done: true } });
    for (const trace of [person.id, person.cookie.split(/[=.]/)[1]!]) expect(await tablesWith(trace)).toEqual([]);
    expect(await tablesWith(mark)).toEqual(["farewells"]);
    const [mail] = await mailbox.to(app, person.email);
    expect(mail).toMatchObject({ to: { name: "" }, subject: "Tu cuenta de Diván se ha eliminado" });
    // With the mail the address goes too.
    expect(await tablesWith(mark)).toEqual([]);
    expect((await app.call("GET", "/session", undefined, person)).body.user).toBeNull();
    expect(app.log.join("\n")).not.toContain(person.id);
  });

  test("deletes what stood under the name, with everything under it, and recounts", async () => {
    const [person, other] = [await someone(), await someone()];
    const psychologist = await someone({ type: "psychologist", gold: "active" });
    const open = await asked(person, { is_anonymous: false });
    const answer = await answered(psychologist, open);
    const reply = await replied(other, answer);
    await app.call("PUT", `/answers/${answer}/vote`, { vote: "up" }, other);
    await reviewed(person, psychologist, true, 1);
    await reviewed(other, psychologist, false, 5);
    await close(person);
    expect((await app.page(`/consulta/${open}`)).status).toBe(410);
    const gone = await app.sql<{ id: string }>("select id from deleted_items where id = any($1)", [
      [open, answer, reply],
    ]);
    expect(gone).toHaveLength(3);
    const [row] = await app.sql("select * from psychologist_profiles where id = $1", [psychologist.id]);
    expect(row).toMatchObject({ total_responses: 0, total_votes: 0, total_reviews: 1, rating: "5.0" });
    await expectCountersRight();
  });

  test("leaves anonymous texts and votes where they are: at that moment nothing changes on anyone else's page", async () => {
    const [person, other] = [await someone(), await someone()];
    const psychologist = await someone({ type: "psychologist", gold: "active" });
    const anonymous = await asked(person, { is_anonymous: true, title: "Anónima que queda" });
    const theirs = await asked(other, { is_anonymous: false, title: "De otra persona, con nombre" });
    const answer = await answered(psychologist, theirs);
    await replied(person, answer);
    await app.call("PUT", `/consultations/${theirs}/vote`, { vote: "up" }, person);
    await app.call("PUT", `/answers/${answer}/vote`, { vote: "up" }, person);
    await reviewed(person, psychologist, false, 3);
    const look = async () => {
      const pages = [`/consultations/${anonymous}`, `/consultations/${theirs}`, `/psychologists/${psychologist.id}`];
      return Promise.all(pages.map(async (path) => (await app.call("GET", path, undefined, other)).text));
    };
    const before = await look();
    expect(before.join()).toContain("Anónima que queda");
    await close(person, "delete");
    expect(await look()).toEqual(before);
    await expectCountersRight();
  });

  test("a colleague's nameless review keeps its label", async () => {
    const [person, psychologist] = [await someone({ type: "psychologist" }), await someone({ type: "psychologist" })];
    await reviewed(person, psychologist, false);
    const label = async () => (await app.call("GET", `/psychologists/${psychologist.id}`)).body.reviews[0].author_label;
    expect(await label()).toBe("Colega");
    await close(person, "keep");
    expect(await label()).toBe("Colega");
  });

  /** Someone who wrote without a name, in threads of six others, and has left at a moment that the test knows. */
  async function left(nameless: "delete" | "keep") {
    const [person, psychologist] = [await someone(), await someone({ type: "psychologist", gold: "active" })];
    const consultations = [await asked(person), await asked(person), await asked(person)];
    const replies: string[] = [];
    for (let i = 0; i < 2; i++)
      replies.push(await replied(person, await answered(psychologist, await asked(await someone()))));
    await reviewed(person, psychologist, false, 2);
    const [review] = await app.sql<{ id: string }>("select id from psychologist_reviews where user_id = $1", [
      person.id,
    ]);
    const at = new Date();
    app.setNow(at);
    expect((await close(person, nameless)).status).toBe(200);
    return {
      psychologist,
      consultations,
      replies,
      review: review!.id,
      at,
      ids: [...consultations, ...replies, review!.id],
    };
  }
  const later = (at: Date, seconds: number) => app.setNow(new Date(at.getTime() + seconds * 1000));

  test("deletes anonymised texts within three days, each at a random time, if the user wished so", async () => {
    const { psychologist, consultations, ids, at } = await left("delete");
    const planned = await moments(ids);
    expect(planned).toHaveLength(6);
    for (const { goes_at, settles_at } of planned) {
      expect(settles_at).toBeNull();
      expect(goes_at!.getTime() - at.getTime()).toBeGreaterThanOrEqual(HOURS);
      expect(goes_at!.getTime() - at.getTime()).toBeLessThan(72 * HOURS);
    }
    expect(new Set(planned.map(({ goes_at }) => Math.round(goes_at!.getTime() / 10_000))).size).toBeGreaterThan(3);
    // Nothing goes before its moment, and each goes at its own.
    later(at, ANONYMISED_DELAY.fromSeconds - 1);
    await sweepAnonymisedTexts(app.context);
    expect(await moments(ids)).toHaveLength(6);
    const order = planned.toSorted((one, other) => one.goes_at!.getTime() - other.goes_at!.getTime());
    for (const [gone, { id, goes_at }] of order.entries()) {
      app.setNow(new Date(goes_at!.getTime() - 1));
      await sweepAnonymisedTexts(app.context);
      expect((await moments(ids)).map((row) => row.id)).toContain(id);
      app.setNow(goes_at);
      await Promise.all([sweepAnonymisedTexts(app.context), sweepAnonymisedTexts(app.context)]);
      expect(await moments(ids)).toHaveLength(6 - gone - 1);
    }
    const [row] = await app.sql("select * from psychologist_profiles where id = $1", [psychologist.id]);
    expect(row).toMatchObject({ total_reviews: 0, rating: null });
    expect((await app.page(`/consulta/${consultations[0]}`)).status).toBe(410);
    await expectCountersRight();
  });

  test("within three days nothing of it is left, even if the server was down", async () => {
    const { ids, at } = await left("delete");
    const planned = new Map((await moments(ids)).map(({ id, goes_at }) => [id, goes_at]));
    later(at, 72 * 3600);
    await sweepAnonymisedTexts(app.context);
    expect(await moments(ids)).toEqual([]);
    // What is kept of a deletion is its own moment: the visit's would be one for all.
    const marks = await app.sql<{ id: string; deleted_at: Date }>(
      "select id, deleted_at from deleted_items where id = any($1)",
      [ids],
    );
    expect(marks).toHaveLength(5);
    for (const { id, deleted_at } of marks) expect(deleted_at).toEqual(planned.get(id));
    // What has an author stays.
    const kept = await asked(await someone());
    await sweepAnonymisedTexts(app.context);
    expect((await app.call("GET", `/consultations/${kept}`)).status).toBe(200);
    await expectCountersRight();
  });

  test("a nameless review that goes and one that comes, both begun before either ends, are both counted", async () => {
    const [person, other, psychologist] = [await someone(), await someone(), await someone({ type: "psychologist" })];
    await reviewed(person, psychologist, false);
    const at = new Date();
    app.setNow(at);
    await close(person);
    later(at, 72 * 3600);
    await whileLocked<unknown>(
      app,
      "select from psychologist_profiles where id = $1 for update",
      [psychologist.id],
      [() => reviewed(other, psychologist, false, 5), () => sweepAnonymisedTexts(app.context)],
    );
    await expectCountersRight();
  });

  test("one text that cannot be deleted holds up no other, and goes at a later visit", async () => {
    const { consultations, ids, at } = await left("delete");
    later(at, 72 * 3600);
    await app.sql(`create function no_deletion() returns trigger language plpgsql as $$ begin
      if old.id = '${consultations[0]}' then raise exception 'not now'; end if; return old; end $$`);
    await app.sql(
      "create trigger no_deletion before delete on consultations for each row execute function no_deletion()",
    );
    await expect(sweepAnonymisedTexts(app.context)).rejects.toThrow("not now");
    expect((await moments(ids)).map(({ id }) => id)).toEqual([consultations[0]]);
    await app.sql("drop trigger no_deletion on consultations");
    await sweepAnonymisedTexts(app.context);
    expect(await moments(ids)).toEqual([]);
  });

  /** Every row of every table that holds an id, as text by the name of its column; rows of the queue's tables too. */
  async function traces(id: string): Promise<Map<string, string>> {
    const tables = await app.sql<{ name: string }>(
      `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'r' and n.nspname not like 'pg\\_%' and n.nspname <> 'information_schema'`,
    );
    expect(tables.map(({ name }) => name)).toEqual(expect.arrayContaining(["public.consultations", "pgboss.queue"]));
    const found = new Map<string, string>();
    for (const { name } of tables)
      for (const [at, { row }] of (
        await app.sql<{ row: Record<string, unknown> }>(
          `select to_jsonb(kept) || jsonb_build_object('xmin', kept.xmin::text) as row from ${name} kept where position($1 in kept::text) > 0`,
          [id],
        )
      ).entries())
        for (const [column, value] of Object.entries(row)) found.set(`${name}.${column}#${at}`, JSON.stringify(value));
    return found;
  }
  /** What could join two rows: an id, or a time. Words, numbers of votes and yes or no are the same for many. */
  const telling = (found: Map<string, string>, own: string[]) =>
    [...found].flatMap(([where, value]) => {
      const ids = (value.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).filter((id) => !own.includes(id));
      const times = (value.match(/\d{4}-\d\d-\d\dT[\d:.]+/g) ?? []).map((time) => Date.parse(`${time}Z`));
      const transaction = where.includes(".xmin#") ? [value] : [];
      return [...ids, ...transaction, ...times].map((value) => ({ where, value }));
    });

  test.each(["delete", "keep"] as const)(
    "leaves nothing in the whole database that links two anonymised texts of one person (%s)",
    { timeout: 120_000 },
    async (nameless) => {
      await app.sql("delete from pgboss.job");
      const { ids, at, psychologist } = await left(nameless);
      const someoneElses = await left(nameless);
      // The place of a row in the database's files is told apart below: it lasts until each was written anew.
      const physical = (one: { where: string }) => one.where.includes(".xmin#");
      const joins = async (left: string[]) => {
        const all = await Promise.all(
          left.map(async (id) => telling(await traces(id), [id, psychologist.id, someoneElses.psychologist.id])),
        );
        return all.flatMap((one, i) =>
          all.slice(i + 1).flatMap((other) =>
            one.flatMap((a) =>
              other.flatMap((b) => {
                const same =
                  typeof a.value === "number" && typeof b.value === "number"
                    ? Math.abs(a.value - b.value) < 2 && !a.where.includes("created_at")
                    : a.value === b.value;
                return same ? [{ a, b }] : [];
              }),
            ),
          ),
        );
      };
      expect((await joins(ids)).filter(({ a }) => !physical(a))).toEqual([]);
      // Not a single job names one of them, or was made for one.
      const jobs = JSON.stringify(await app.sql("select * from pgboss.job"));
      for (const id of ids) expect(jobs).not.toContain(id);
      // Nothing counts up from one text to the next.
      const counting = await app.sql(
        `select table_name from information_schema.columns where table_schema = 'public' and (column_default like 'nextval%' or is_identity = 'YES') and table_name <> 'migrations'`,
      );
      expect(counting).toEqual([]);
      if (nameless === "delete") return;
      // After three days not even the transaction that untied them is in the rows that stay.
      for (const { id, settles_at } of (await moments(ids)).toSorted((a, b) => +a.settles_at! - +b.settles_at!)) {
        expect(settles_at!.getTime() - at.getTime()).toBeLessThan(72 * HOURS);
        app.setNow(settles_at);
        await sweepAnonymisedTexts(app.context);
        expect(await moments([id])).toEqual([{ id, goes_at: null, settles_at: null }]);
      }
      expect(await joins(ids)).toEqual([]);
    },
  );

  test("what an earlier version had queued goes before its time, at moments that have nothing in common", async () => {
    const { boss } = app.context;
    await boss.createQueue("nameless-texts");
    const { ids, consultations, replies, review } = await left("keep");
    await app.sql("update consultations set settles_at = null");
    await app.sql("update consultation_replies set settles_at = null");
    await app.sql("update psychologist_reviews set settles_at = null");
    const jobs = [
      ...consultations.map((id) => ({ kind: "consultation", id })),
      ...replies.map((id) => ({ kind: "reply", id })),
      { kind: "review", id: review },
      // One whose text has an author again would be a mistake; nothing is done about it.
      { kind: "consultation", id: await asked(await someone()) },
    ];
    for (const job of jobs) await boss.send("nameless-texts", job, { startAfter: 40 * 3600 });
    const migration = readFileSync(join(import.meta.dirname, "../../migrations/0021_loose_texts.sql"), "utf8");
    await app.sql(migration.slice(migration.indexOf("do $$")));
    const planned = await moments(jobs.map(({ id }) => id));
    const due = planned.filter(({ goes_at }) => goes_at !== null);
    expect(due.map(({ id }) => id).sort()).toEqual([...ids].sort());
    for (const { goes_at } of due) expect(goes_at!.getTime()).toBeLessThan(Date.now() + 40 * HOURS);
    expect(new Set(due.map(({ goes_at }) => goes_at!.getTime() % 1000)).size).toBeGreaterThan(2);
    expect(await app.sql("select from pgboss.job where name = 'nameless-texts'")).toEqual([]);
    app.setNow(new Date(Date.now() + 41 * HOURS));
    await sweepAnonymisedTexts(app.context);
    expect(await moments(ids)).toEqual([]);
  });

  test("keeps anonymised texts for good if the user wished so, without an author", async () => {
    const { consultations, ids, at } = await left("keep");
    later(at, 30 * 24 * 3600);
    await sweepAnonymisedTexts(app.context);
    expect(await moments(ids)).toHaveLength(6);
    expect(await app.sql("select user_id from consultations where id = $1", [consultations[0]])).toEqual([
      { user_id: null },
    ]);
    app.setNow(null);
    const stranger = await someone();
    expect((await app.call("DELETE", `/consultations/${consultations[0]}`, {}, stranger)).status).toBe(404);
    expect((await app.call("GET", `/consultations/${consultations[0]}`, undefined, stranger)).body.viewer.mine).toBe(
      false,
    );
  });

  test("of a psychologist takes the answers along, and the threads count anew", async () => {
    const [person, user] = [await someone({ type: "psychologist", gold: "active" }), await someone()];
    const threads = [await asked(user), await asked(user)];
    const answers = [await answered(person, threads[0]!), await answered(person, threads[1]!)];
    await replied(user, answers[0]!);
    await reviewed(user, person, true);
    await close(person);
    const rows = await app.sql<{ response_count: number }>(
      "select response_count from consultations where id = any($1)",
      [threads],
    );
    expect(rows).toEqual([{ response_count: 0 }, { response_count: 0 }]);
    expect((await app.page(`/psicologo/${person.id}`)).status).toBe(404);
    const ranking = (await app.call("GET", "/psychologists")).text;
    expect(ranking).not.toContain(person.id);
    await expectCountersRight();
  });

  test("cancels a running monthly membership at the payment provider, and its payments stay on record", async () => {
    const person = await someone({ type: "psychologist", gold: "active" });
    const [membership] = await app.sql<{ id: string }>(
      `insert into subscriptions (psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date)
       values ($1, 'paypal', $2, 'monthly', 499, 'USD', 'active', now() + interval '9 days') returning id`,
      [person.id, `I-${randomBytes(6).toString("hex")}`],
    );
    await app.sql(
      `insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status)
       values ($1, 'paypal', $2, 499, 'USD', 'completed')`,
      [membership!.id, randomUUID()],
    );
    expect((await app.call("GET", "/account/closing", undefined, person)).body.membership).toBe("monthly");
    await close(person);
    const [row] = await app.sql("select * from subscriptions where id = $1", [membership!.id]);
    expect(row).toMatchObject({ psychologist_id: null, status: "cancelled", ended_by: "person" });
    expect(row!.cancel_requested_at).not.toBeNull();
    const told = await app.sql(
      "select data from pgboss.job where name = 'cancellations' and data->>'subscription_id' = $1",
      [membership!.id],
    );
    expect(told).toHaveLength(1);
    expect(
      await app.sql("select amount from payment_transactions where subscription_id = $1", [membership!.id]),
    ).toEqual([{ amount: 499 }]);
    const recorded = await app.sql("select action, actor_id, details from audit_log where target_id = $1", [
      membership!.id,
    ]);
    expect(recorded).toEqual([
      { action: "membership_cancelled", actor_id: null, details: { provider: "paypal", plan_type: "monthly" } },
    ]);
  });

  test("with a lifetime membership does not free its place in the promotion", async () => {
    const [person, looker] = [await someone({ type: "psychologist" }), await someone({ type: "psychologist" })];
    const left = async () => (await app.call("GET", "/plans", undefined, looker)).body.promotion.places_left as number;
    const before = await left();
    await app.sql(
      `insert into subscriptions (psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status)
       values ($1, 'test', $2, 'lifetime', 4999, 'USD', 'active')`,
      [person.id, `TEST_${randomUUID()}`],
    );
    expect(await left()).toBe(before - 1);
    await close(person);
    expect(await left()).toBe(before - 1);
  });

  test("removes the photo", async () => {
    const person = await someone();
    const key = `avatars/${person.id}-1700000000000.webp`;
    await app.sql("update profiles set avatar_url = $2 where id = $1", [person.id, `/${key}`]);
    await close(person);
    const jobs = await app.sql("select from pgboss.job where name = 'unused-files' and data->>'key' = $1", [key]);
    expect(jobs).toHaveLength(1);
  });

  test("asked ten times at once happens once", async () => {
    const person = await someone();
    await asked(person, { is_anonymous: false });
    const answers = await Promise.all(Array.from({ length: 10 }, () => close(person)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(401)]);
    expect(await mailbox.to(app, person.email)).toHaveLength(1);
  });

  test("while the person and others go on writing ends in one piece: nothing named is left, every count is right", async () => {
    const [user, psychologist] = [await someone(), await someone({ type: "psychologist", gold: "active" })];
    const person = await someone();
    const leavers = [person, await someone({ type: "psychologist", gold: "active", name: "Psicóloga que se va" })];
    const open = await asked(person, { is_anonymous: false, title: "Con nombre, se va" });
    const theirs = await asked(user);
    const answer = await answered(psychologist, theirs);
    await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
    const named = { ...QUESTION, country: "Chile", is_anonymous: false, author_name: "Nombre que se va" };
    const acts = Array.from({ length: 12 }, (_, at) => [
      app.call("POST", "/consultations", named, person),
      app.call("PUT", `/consultations/${theirs}/vote`, { vote: at % 2 ? "up" : "down" }, person),
      app.call("PUT", `/answers/${answer}/vote`, { vote: "up" }, person),
      app.call("POST", `/answers/${answer}/replies`, { content: `Comentario ${at}` }, person),
      app.call("POST", `/consultations/${open}/answers`, { content: `Respuesta ${at}` }, psychologist),
      app.call("POST", `/consultations/${theirs}/answers`, { content: `De quien se va ${at}` }, leavers[1]!),
      app.call("PUT", `/consultations/${open}/vote`, { vote: "up" }, user),
      reviewed(person, psychologist, true, 2),
      ...(at === 5 ? leavers.map((leaver) => close(leaver, "keep")) : []),
    ]).flat();
    const statuses = (await Promise.all(acts)).map((one) => one.status);
    expect(statuses.filter((status) => status >= 500 && status !== 503)).toEqual([]);
    for (const leaver of leavers)
      if ((await app.sql("select from profiles where id = $1", [leaver.id])).length) await close(leaver, "keep");
    expect(await app.sql("select id from consultations where not is_anonymous and user_id is null")).toEqual([]);
    expect(await app.sql("select id from psychologist_reviews where show_name and user_id is null")).toEqual([]);
    await expectCountersRight();
  });

  test("and a review, both begun before either ends, are both counted", async () => {
    const [person, other, psychologist] = [await someone(), await someone(), await someone({ type: "psychologist" })];
    await reviewed(person, psychologist, true);
    const made = await whileLocked(
      app,
      "select from psychologist_profiles where id = $1 for update",
      [psychologist.id],
      [() => reviewed(other, psychologist, false, 5), () => close(person)],
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    await expectCountersRight();
  });

  test("is told to its owner also where the mail server was away for most of a week", async () => {
    const person = await someone();
    const at = new Date();
    app.setNow(at);
    expect((await close(person)).status).toBe(200);
    later(at, 6 * 24 * 3600);
    await housekeeping(app.context);
    expect((await mailbox.to(app, person.email)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^Tu cuenta de Diván/),
    ]);
  });

  test("takes along what is published while it waits for a lock", async () => {
    const person = await someone();
    const first = await asked(person, { is_anonymous: false });
    let second = "";
    const closing = await app.context.db.transaction().execute(async (tx) => {
      await lockConsultation(tx, first);
      const waiting = close(person);
      await untilBlocked(app, 1);
      second = await asked(person, { is_anonymous: false, title: "Publicada mientras tanto" });
      return { waiting };
    });
    expect((await closing.waiting).status).toBe(200);
    for (const id of [first, second]) expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test("works with a form only, and the browser forgets what it kept", async () => {
    const person = await someone();
    const consultation = await asked(person);
    const refused = await app.form("/cuenta/eliminar", { nameless: "perhaps", understood: "on" }, person);
    expect(refused.status).toBe(422);
    const sent = await app.form("/cuenta/eliminar", { nameless: "keep", understood: "on" }, person);
    expect([sent.status, sent.headers.get("location")]).toEqual([302, "/"]);
    expect(sent.headers.get("clear-site-data")).toBe('"cache", "storage"');
    expect(sent.headers.getSetCookie().join()).toMatch(/sid=; Max-Age=0/);
    expect((await app.call("GET", `/consultations/${consultation}`)).status).toBe(200);
    expect((await app.page("/cuenta", person)).status).toBe(401);
  });

  test("asks for the password again after a while", async () => {
    const person = await someone();
    await app.sql("update sessions set password_at = now() - interval '11 minutes' where account_id = $1", [person.id]);
    expect(await close(person)).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    expect(await exported(person)).toMatchObject({ status: 403, body: { code: "reauthentication_required" } });
    expect(await app.sql("select from profiles where id = $1", [person.id])).toHaveLength(1);
  });

  test("makes the address free: who registers with it again begins anew", async () => {
    const person = await someone();
    await close(person, "keep");
    const again = await app.person({ email: person.email });
    expect((await app.call("GET", "/profile/consultations", undefined, again)).body.items).toEqual([]);
  });
});

test("anonymised texts go between an hour and three days later", () => {
  const at = new Date("2027-01-01T00:00:00Z");
  expect(anonymisedTextDueAt(at, 0)).toEqual(new Date("2027-01-01T01:00:00Z"));
  expect(anonymisedTextDueAt(at, 1)).toEqual(new Date("2027-01-03T23:00:00Z"));
  expect(anonymisedTextDueAt(at, 0.5)).toEqual(new Date("2027-01-02T12:00:00Z"));
});
