import { randomUUID } from "node:crypto";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { DAY } from "#shared/time.ts";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { ask } from "#test/threads.ts";
import { consultationVersion } from "#test/versions.ts";
import { claimAnswerMail, releaseAnswerMail } from "../answers/store.ts";
import { housekeeping, sendMail } from "../background.ts";
import type { MailJob } from "../mail/queues.ts";
import { purgeRemoval as deleteKeptOf } from "./jobs.ts";
import type { RemovalJob } from "./queues.ts";

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.admin();
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

const versionOf = (id: string) => consultationVersion(app, admin, id);
const remove = async (id: string, as: Person | null = admin, version?: string) =>
  app.call("DELETE", `/admin/consultations/${id}`, { version: version ?? (await versionOf(id)) }, as);
const limitOf = async (as: Person) => (await app.call("GET", "/weekly-limit", undefined, as)).body;
const list = async (query = "") => (await app.call("GET", `/admin/consultations${query}`, undefined, admin)).body;

describe("the administrator's deletion", () => {
  test("deletes everything below it and recounts the psychologists' totals", async () => {
    const [author, psychologist] = [await app.person(), await app.person({ type: "psychologist" })];
    const id = await ask(app, author);
    const answer = await app.call("POST", `/consultations/${id}/answers`, { content: "Respuesta" }, psychologist);
    await app.call("POST", `/answers/${answer.body.id}/replies`, { content: "Réplica" }, author);
    await app.call("PUT", `/answers/${answer.body.id}/vote`, { vote: "up" }, author);
    await app.call("PUT", `/consultations/${id}/vote`, { vote: "up" }, author);
    expect((await remove(id)).body).toEqual({ credit_restored: true });
    const [left] = await app.sql(
      `select (select count(*) from consultations where id = $1)::integer as consultations,
         (select count(*) from consultation_votes where consultation_id = $1)::integer as votes,
         (select count(*) from consultation_responses where consultation_id = $1)::integer as answers,
         (select count(*) from consultation_replies where response_id = $2)::integer as replies,
         (select count(*) from response_votes where response_id = $2)::integer as answer_votes`,
      [id, answer.body.id],
    );
    expect(left).toEqual({ consultations: 0, votes: 0, answers: 0, replies: 0, answer_votes: 0 });
    expect(
      await app.sql(
        "select total_responses as answers, total_votes as votes from psychologist_profiles where id = $1",
        [psychologist.id],
      ),
    ).toEqual([{ answers: 0, votes: 0 }]);
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test("lets the author ask again at once, and a new window starts then", async () => {
    const author = await app.person();
    const start = new Date();
    app.setNow(start);
    const id = await ask(app, author);
    app.setNow(new Date(start.getTime() + 3 * DAY));
    expect((await remove(id)).body).toEqual({ credit_restored: true });
    expect(await limitOf(author)).toMatchObject({ used: 0, days_until_reset: 7 });
    await ask(app, author);
    expect(await limitOf(author)).toMatchObject({ used: 1, days_until_reset: 7 });
  });

  test("gives nothing back for a consultation of an earlier window", async () => {
    const author = await app.person();
    const start = new Date();
    app.setNow(start);
    const old = await ask(app, author);
    await app.sql("update sessions set seen_at = $2 where account_id = any($1::uuid[])", [
      [author.id, admin.id],
      new Date(start.getTime() + 6 * DAY),
    ]);
    app.setNow(new Date(start.getTime() + 8 * DAY));
    await ask(app, author);
    expect((await remove(old)).body).toEqual({ credit_restored: false });
    expect((await limitOf(author)).used).toBe(1);
  });

  test("gives nothing back for the administrator's own, or when the author has left", async () => {
    const own = await ask(app, admin);
    expect((await remove(own)).body).toEqual({ credit_restored: false });
    const left = await ask(app, await app.person());
    await app.sql("update consultations set user_id = null where id = $1", [left]);
    expect((await remove(left)).body).toEqual({ credit_restored: false });
  });

  test("of 50 at once one deletes, and the credit goes no lower than zero", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const outcomes = await Promise.all(Array.from({ length: 50 }, () => remove(id)));
    expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(outcomes.filter(({ status }) => status === 410)).toHaveLength(49);
    expect((await limitOf(author)).used).toBe(0);
    expect(await app.sql("select id from audit_log where target_id = $1", [id])).toHaveLength(1);
  });

  test("while the author asks at once again, publishes one at most per credit", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const again = () =>
      app.call(
        "POST",
        "/consultations",
        { title: "Otra pregunta", content: "Un texto de más de veinte caracteres.", country: "Chile" },
        author,
      );
    const outcomes = await Promise.all([
      ...Array.from({ length: 20 }, again),
      remove(id),
      ...Array.from({ length: 20 }, again),
    ]);
    const made = outcomes.filter(({ status }) => status === 201).length;
    expect(made).toBeLessThanOrEqual(1);
    expect((await limitOf(author)).used).toBe(made);
  });

  test("is recorded with only the target: nothing leads to the author", async () => {
    const author = await app.person({ name: "Quien Preguntó" });
    const id = await ask(app, author);
    const outcome = await remove(id);
    const rows = await app.sql("select * from audit_log where target_id = $1", [id]);
    expect(rows).toMatchObject([{ actor_id: admin.id, action: "consultation_deleted", target_id: id, details: {} }]);
    const everything = JSON.stringify([rows, outcome.body, app.log]);
    for (const secret of [author.id, author.email, author.full_name]) expect(everything).not.toContain(secret);
  });

  test("is refused to everyone else, and what is not there is not found", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    expect((await remove(id, null)).status).toBe(401);
    for (const as of [author, await app.person(), await app.person({ type: "psychologist" })])
      expect((await remove(id, as)).body).toEqual({ code: "admin_only" });
    expect((await remove("00000000-0000-4000-8000-000000000000")).body).toEqual({ code: "consultation_not_found" });
    for (const [as, mayRemove] of [
      [admin, true],
      [author, false],
      [null, false],
    ] as const)
      expect((await app.call("GET", `/consultations/${id}`, undefined, as)).body.viewer.can.remove).toBe(mayRemove);
  });

  test("from the detail page leads home and says that the credit was restored only when it was", async () => {
    const author = await app.person();
    const [first, second] = [await ask(app, author), await ask(app, await app.person())];
    expect((await app.page(`/consulta/${first}`, author)).text).not.toContain("Eliminar consulta");
    expect((await app.page(`/consulta/${first}`, admin)).text).toContain("Eliminar consulta");
    expect((await app.page(`/consulta/${first}/eliminar`, admin)).text).toContain("¿Eliminar esta consulta?");
    const restored = await app.form(`/consulta/${first}/eliminar`, { version: await versionOf(first) }, admin);
    expect([restored.status, restored.headers.get("location")]).toEqual([302, "/"]);
    expect(restored.headers.get("set-cookie")).toContain("notice=removed_from_page_credit;");
    await app.sql("update consultations set user_id = null where id = $1", [second]);
    const plain = await app.form(`/consulta/${second}/eliminar`, { version: await versionOf(second) }, admin);
    expect(plain.headers.get("set-cookie")).toContain("notice=removed_from_page;");
    const listed = await app.form(
      "/admin?vista=consultas",
      { intent: "delete", id: first, version: await versionOf(first) },
      admin,
    );
    expect(listed.status).toBe(410);
  });
});

describe("undoing a removal", () => {
  const undo = (id: string) => app.call("POST", `/admin/decisions/${id}/undo`, {}, admin);
  const undoable = async () => (await app.call("GET", "/admin/decisions/undoable", undefined, admin)).body;
  /** Removes a consultation. @returns the decision's id */
  async function removed(id: string): Promise<string> {
    expect((await remove(id)).status).toBe(200);
    const [row] = await app.sql<{ decision_id: string }>(
      "select decision_id from removed_consultations where consultation_id = $1",
      [id],
    );
    return row!.decision_id;
  }
  const kept = async () =>
    (await app.sql("select 1 from removed_consultations union all select 1 from removed_rows")).length;
  /** What the job does that a removal has queued. */
  async function deleteKept(): Promise<void> {
    await app.sql("update pgboss.job set start_after = now() where name = 'removals'");
    for (const job of await app.context.boss.fetch<RemovalJob>("removals", { batchSize: 50 })) {
      await deleteKeptOf(app.context, job.data);
      await app.context.boss.complete("removals", job.id);
    }
  }
  /** A consultation with answers, replies and votes of several people. */
  async function thread(more: Record<string, unknown> = {}) {
    const [author, reader, psychologist] = [
      await app.person({ name: "Autora Secreta" }),
      await app.person(),
      await app.person({ type: "psychologist" }),
    ];
    const id = await ask(app, author, { title: "Lo que volvió a su lugar", ...more });
    const answers: string[] = [];
    for (const content of ["Primera respuesta", "Segunda respuesta"])
      answers.push(
        (await app.call("POST", `/consultations/${id}/answers`, { content }, psychologist)).body.id as string,
      );
    const replies: string[] = [];
    for (const by of [author, reader])
      replies.push(
        (await app.call("POST", `/answers/${answers[0]}/replies`, { content: "Un comentario" }, by)).body.id as string,
      );
    await app.call("PUT", `/consultations/${id}/vote`, { vote: "up" }, reader);
    await app.call("PUT", `/consultations/${id}/vote`, { vote: "down" }, psychologist);
    await app.call("PUT", `/answers/${answers[1]}/vote`, { vote: "up" }, reader);
    return { author, reader, psychologist, id, answers, replies };
  }
  type Thread = Awaited<ReturnType<typeof thread>>;
  /** Every row of a thread, what its people have, and what everyone sees. */
  async function everything({ id, author, psychologist }: Thread) {
    const seen = [];
    for (const as of [null, author, psychologist])
      seen.push((await app.call("GET", `/consultations/${id}`, undefined, as)).body);
    seen.push((await app.call("GET", "/consultations", undefined, null)).body.items);
    const rows = await app.sql(
      `select to_jsonb(c) as row from consultations c where id = $1
       union all select to_jsonb(v) from consultation_votes v where consultation_id = $1
       union all select to_jsonb(r) from consultation_responses r where consultation_id = $1
       union all select to_jsonb(v) from response_votes v join consultation_responses r on r.id = v.response_id where consultation_id = $1
       union all select to_jsonb(p) from consultation_replies p join consultation_responses r on r.id = p.response_id where consultation_id = $1
       union all select to_jsonb(p) from psychologist_profiles p where id = $2
       union all select jsonb_build_array(weekly_consultations_used, weekly_window_started_at) from profiles where id = $3
       union all select to_jsonb(d) from deleted_items d where id = $1`,
      [id, psychologist.id, author.id],
    );
    return { rows: rows.map((row) => JSON.stringify(row)).sort(), seen };
  }
  /** A clock that stands. */
  let at = new Date();
  let start = at.getTime() + 3600_000;
  const wait = (seconds: number) => {
    at = new Date(at.getTime() + seconds * 1000);
    app.setNow(at);
  };
  beforeEach(async () => {
    await app.sql("delete from pgboss.job");
    await app.sql("delete from removed_consultations");
    start += 60_000;
    at = new Date(start);
    app.setNow(at);
  });

  test.each([true, false])("brings everything back as it was (anonymous: %s)", async (is_anonymous) => {
    const whole = await thread({ is_anonymous });
    const { id, answers, replies } = whole;
    const before = await everything(whole);
    const decision = await removed(id);
    // Until then it is gone for everyone.
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
    expect((await app.call("GET", `/consultations/${id}`, undefined, whole.author)).status).toBe(410);
    expect((await app.call("PUT", `/answers/${answers[0]}/vote`, { vote: "up" }, whole.reader)).status).toBe(410);
    expect((await list()).items.map((one: { id: string }) => one.id)).not.toContain(id);
    wait(LIMITS.undoSeconds - 1);
    const shown = await undoable();
    expect(shown).toEqual([
      {
        id: decision,
        decision: "removed",
        target_id: id,
        name: "Lo que volvió a su lugar",
        listed_at: expect.any(String),
        seconds_left: 1,
      },
    ]);
    for (const secret of [whole.author.id, whole.author.email, whole.author.full_name])
      expect(JSON.stringify(shown)).not.toContain(secret);
    expect((await undo(decision)).status).toBe(200);
    expect(await everything(whole)).toEqual(before);
    expect(await app.sql("select id from deleted_items where id = any($1)", [[id, ...answers, ...replies]])).toEqual(
      [],
    );
    expect(
      await app.sql("select actor_id, action, details from audit_log where target_id = $1 order by created_at", [id]),
    ).toEqual([
      { actor_id: admin.id, action: "consultation_deleted", details: {} },
      { actor_id: admin.id, action: "decision_undone", details: { decision } },
    ]);
    expect(await kept()).toBe(0);
    await deleteKept();
    expect((await app.call("GET", `/consultations/${id}`)).status).toBe(200);
  });

  test("is refused once its seconds are over; afterwards nothing that was written is left anywhere", async () => {
    const { id } = await thread({ content: "Un canario canta en alguna parte de la base." });
    const decision = await removed(id);
    wait(LIMITS.undoSeconds);
    expect(await undoable()).toEqual([]);
    expect(await undo(decision)).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    const [job] = await app.sql<{ seconds: number }>(
      "select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where name = 'removals'",
    );
    expect(job!.seconds).toBeGreaterThan(LIMITS.undoSeconds + 0.5);
    await deleteKept();
    expect(await kept()).toBe(0);
    const tables = await app.sql<{ name: string }>(
      "select format('%I.%I', schemaname, tablename) as name from pg_tables where schemaname in ('public', 'pgboss')",
    );
    for (const { name } of tables)
      expect(await app.sql(`select from ${name} kept where kept::text like '%Un canario canta%'`), name).toEqual([]);
    expect(await undo(decision)).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test("whose job was lost is deleted by housekeeping, which keeps a recent one", async () => {
    const old = await removed((await thread()).id);
    wait(120);
    const { id } = await thread();
    await removed(id);
    await housekeeping(app.context);
    expect(await app.sql("select decision_id from removed_consultations where decision_id = $1", [old])).toEqual([]);
    expect(await app.sql("select 1 from removed_rows where consultation_id = $1", [id])).not.toEqual([]);
    await deleteKept();
  });

  test("and the job at the same moment: in each round exactly one wins", async () => {
    for (let round = 0; round < (FULL_RUN ? 15 : 5); round++) {
      const id = await ask(app, await app.person());
      const decision = await removed(id);
      const work = () => deleteKeptOf(app.context, { decision_id: decision });
      const both = round % 2 ? [undo(decision), work()] : [work(), undo(decision)];
      const { status } = (await Promise.all(both)).find((one) => one !== undefined)!;
      expect(status === 200 ? 200 : 410, `round ${round}`).toBe((await app.call("GET", `/consultations/${id}`)).status);
      expect(await kept()).toBe(0);
    }
  });

  test("twenty times at once is done once, and an older removal is not undone after a newer one", async () => {
    const { id } = await thread();
    const first = await removed(id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(first)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    wait(1);
    const second = await removed(id);
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    expect((await undo(second)).status).toBe(200);
  });

  test("takes the week's consultation back that it gave; what was published since stays and counts", async () => {
    const { author, id } = await thread();
    const before = await limitOf(author);
    const decision = await removed(id);
    expect(await limitOf(author)).toMatchObject({ used: 0 });
    wait(5);
    const again = await ask(app, author);
    expect((await undo(decision)).status).toBe(200);
    expect(await limitOf(author)).toEqual({ ...before, used: 2 });
    for (const one of [id, again]) expect((await app.call("GET", `/consultations/${one}`)).status).toBe(200);
    // Of two that count, removing one leaves one.
    await remove(again);
    expect(await limitOf(author)).toEqual({ ...before, used: 1 });
  });

  test("does not bring back what its author deletes meanwhile", async () => {
    const [own, page, parts] = [await thread(), await thread(), await thread()];
    const decisions = [await removed(own.id), await removed(page.id), await removed(parts.id)];
    // Another user's wish changes nothing, and no one learns anything.
    for (const as of [own.author, own.reader, own.psychologist])
      expect((await app.call("DELETE", `/consultations/${own.id}`, undefined, as)).status).toBe(410);
    expect((await app.form(`/consulta/${page.id}/eliminar`, {}, page.author)).status).toBe(410);
    expect((await app.call("DELETE", `/consultations/${parts.id}`, undefined, parts.reader)).status).toBe(410);
    expect((await app.call("DELETE", `/answers/${parts.answers[1]}`, undefined, parts.psychologist)).status).toBe(410);
    expect((await app.form(`/comentario/${parts.replies[0]}/eliminar`, {}, parts.author)).status).toBe(410);
    expect((await undo(decisions[0]!)).body.code).toBe("undo_superseded");
    expect((await undo(decisions[1]!)).body.code).toBe("undo_superseded");
    expect((await undo(decisions[2]!)).status).toBe(200);
    const { body } = await app.call("GET", `/consultations/${parts.id}`);
    expect(body.answers.map((one: { id: string }) => one.id)).toEqual([parts.answers[0]]);
    expect(body.consultation.response_count).toBe(1);
    expect(body.answers[0].replies.map((one: { id: string }) => one.id)).toEqual([parts.replies[1]]);
    expect((await app.call("DELETE", `/answers/${parts.answers[1]}`, undefined, parts.psychologist)).status).toBe(410);
    expect(
      await app.sql("select total_responses, total_votes from psychologist_profiles where id = $1", [
        parts.psychologist.id,
      ]),
    ).toEqual([{ total_responses: 1, total_votes: 0 }]);
    await deleteKept();
  });

  test("an author who deletes the account meanwhile deletes what is under the name; the rest is anonymised", async () => {
    const leave = async (person: Person) => {
      await app.sql("update sessions set password_at = $2 where account_id = $1", [person.id, at]);
      expect((await app.call("DELETE", "/account", { nameless: "delete" }, person)).status).toBe(200);
    };
    const [named, nameless] = [await thread({ is_anonymous: false }), await thread({ is_anonymous: true })];
    const decisions = [await removed(named.id), await removed(nameless.id)];
    await leave(named.author);
    for (const one of [nameless.author, nameless.reader]) await leave(one);
    expect((await undo(decisions[0]!)).body.code).toBe("undo_superseded");
    const [row] = await app.sql(
      "select 1 from removed_rows where data::text like '%' || $1 || '%' or author_id = $1::uuid",
      [named.author.id],
    );
    expect(row).toBeUndefined();
    expect((await undo(decisions[1]!)).status).toBe(200);
    const { body } = await app.call("GET", `/consultations/${nameless.id}`);
    expect(body.consultation).toMatchObject({ upvotes: 1, downvotes: 1, response_count: 2 });
    const loose = await app.sql<{ user_id: string | null; goes_at: Date | null }>(
      `select user_id, goes_at from consultations where id = $1
       union all select user_id, goes_at from consultation_replies where id = any($2)`,
      [nameless.id, nameless.replies],
    );
    expect(loose).toHaveLength(3);
    for (const { user_id, goes_at } of loose) {
      expect(user_id).toBeNull();
      expect(goes_at!.getTime()).toBeGreaterThan(at.getTime());
    }
    expect(new Set(loose.map(({ goes_at }) => goes_at!.getTime())).size).toBe(3);
    await deleteKept();
  });

  test("while people of the thread leave at the same moment: nothing fails, every count is right", async () => {
    for (let round = 0; round < (FULL_RUN ? 6 : 3); round++) {
      const { id, author, psychologist, reader } = await thread();
      const answersGo = round % 2 === 1;
      const decision = await removed(id);
      const people = answersGo ? [psychologist] : [author, reader];
      await app.sql("update sessions set password_at = $2 where account_id = any($1::uuid[])", [
        people.map((person) => person.id),
        at,
      ]);
      const outcomes = await Promise.all([
        undo(decision),
        ...people.map((person) => app.call("DELETE", "/account", { nameless: "keep" }, person)),
      ]);
      expect(outcomes.map(({ status }) => status)).toEqual(outcomes.map(() => 200));
      const [row] = await app.sql(
        `select response_count, upvotes, downvotes, user_id,
           (select count(*) from consultation_responses where consultation_id = $1)::integer as answers,
           (select count(*) from consultation_replies where user_id = any($2))::integer as replies
         from consultations where id = $1`,
        [id, people.map((person) => person.id)],
      );
      const answers = answersGo ? 0 : 2;
      const user_id = answersGo ? author.id : null;
      expect(row).toEqual({ response_count: answers, upvotes: 1, downvotes: 1, user_id, answers, replies: 0 });
      expect(await kept()).toBe(0);
    }
  });

  test("a psychologist who leaves meanwhile takes the answers along", async () => {
    const { id, psychologist, answers } = await thread();
    const decision = await removed(id);
    await app.sql("update sessions set password_at = $2 where account_id = $1", [psychologist.id, at]);
    expect((await app.call("DELETE", "/account", { nameless: "keep" }, psychologist)).status).toBe(200);
    expect((await undo(decision)).status).toBe(200);
    const { body } = await app.call("GET", `/consultations/${id}`);
    expect([body.answers, body.consultation.response_count]).toEqual([[], 0]);
    expect(await app.sql("select id from deleted_items where id = any($1)", [answers])).toHaveLength(2);
  });

  test("the author is notified of an answer whose mail was due meanwhile", async () => {
    const { id, author } = await thread({ mail_answers: true });
    const decision = await removed(id);
    const work = async () => {
      await app.sql("update pgboss.job set start_after = now() where name = 'mail'");
      for (const job of await app.context.boss.fetch<MailJob>("mail", { batchSize: 50 })) {
        await sendMail(app.context, job.data);
        await app.context.boss.complete("mail", job.id);
      }
      return app.sql("select subject from kept_mails where recipient = $1", [author.email]);
    };
    expect(await work()).toEqual([]);
    await undo(decision);
    expect(await work()).toEqual([{ subject: "Hay novedades en tu cuenta" }]);
    // One whose removal came between the mail's claim and its handing over gives the claim back.
    const other = await thread({ mail_answers: true });
    const mailId = randomUUID();
    expect(await claimAnswerMail(app.context.db, other.id, mailId)).toBeDefined();
    const cut = await removed(other.id);
    await releaseAnswerMail(app.context.db, other.id, mailId);
    await undo(cut);
    await work();
    expect(await app.sql("select 1 from kept_mails where recipient = $1", [other.author.email])).toHaveLength(1);
    // One that told already is not sent again.
    const again = await removed(id);
    await undo(again);
    expect(await work()).toHaveLength(1);
  });

  test("stands on the page after the removal, also where that was asked for elsewhere", async () => {
    const { id } = await thread();
    await app.form("/admin?vista=consultas", { intent: "delete", id, version: await versionOf(id) }, admin);
    const text = (await app.page("/admin?vista=consultas", admin)).text.replaceAll("<!-- -->", "");
    expect(text).toContain("Se borra en 15 segundos.");
    const [, decision] = /name="intent" value="undo"\/><input type="hidden" name="id" value="([^"]+)"/.exec(text)!;
    const undone = await app.form("/admin?vista=consultas", { intent: "undo", id: decision! }, admin);
    expect([undone.status, undone.headers.get("location")]).toEqual([302, "/admin?vista=consultas"]);
    const elsewhere = await app.form(`/consulta/${id}/eliminar`, { version: await versionOf(id) }, admin);
    const cookie = [admin.cookie, ...elsewhere.headers.getSetCookie().map((one) => one.split(";")[0])].join("; ");
    expect((await app.page("/", { ...admin, cookie })).text).toMatch(
      /<a [^>]*href="\/admin\?vista=consultas"[^>]*>Deshacer</,
    );
    await deleteKept();
  });

  test("what is kept for it is out of reach of what reads for the public", async () => {
    for (const table of ["removed_consultations", "removed_rows"])
      expect(await app.sql(`select has_table_privilege('divan_public', 'public.${table}', 'select') as may`)).toEqual([
        { may: false },
      ]);
  });
});

describe("the administrator's list of consultations", () => {
  test("shows ten, newest first, and goes on to the end without repeating or losing any", async () => {
    // Later than anything that the tests above have asked.
    const start = Date.now() + 30 * DAY;
    const ids: string[] = [];
    const authors = await Promise.all(Array.from({ length: 23 }, () => app.person()));
    await app.sql("update sessions set seen_at = $1, expires_at = $2 where account_id = any($3::uuid[])", [
      new Date(start),
      new Date(start + DAY),
      authors.map(({ id }) => id),
    ]);
    for (const [i, author] of authors.entries()) {
      app.setNow(new Date(start + i));
      ids.unshift(await ask(app, author, { title: `Pregunta número ${i}` }));
    }
    app.setNow(null);
    const first = await list();
    expect(first.items.map(({ id }: { id: string }) => id)).toEqual(ids.slice(0, 10));
    const all: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const page = await list(cursor && `?cursor=${cursor}`);
      all.push(...page.items.map(({ id }: { id: string }) => id));
      cursor = page.next_cursor;
    }
    const rows = await app.sql<{ id: string }>("select id from consultations order by created_at desc, id desc");
    expect(all).toEqual(rows.map(({ id }) => id));
  });

  test("finds words of the title or the text in any case, and takes signs as they are", async () => {
    const percent = await ask(app, await app.person(), { title: "Un 100% de cansancio_total" });
    const inText = await ask(app, await app.person(), {
      content: "Solo en el texto está la palabra Zanahoria, dos veces.",
    });
    const found = async (q: string) =>
      (await list(`?q=${encodeURIComponent(q)}`)).items.map((one: { id: string }) => one.id);
    expect(await found("zanahoria")).toEqual([inText]);
    expect(await found("100%")).toEqual([percent]);
    expect(await found("CANSANCIO_")).toEqual([percent]);
    expect(await found("cansancio%total")).toEqual([]);
    expect(await found("\\")).toEqual([]);
  });

  test("searches a bounded range, returns its end, and continues from there", async () => {
    await app.sql(
      `insert into consultations (title, content, country, is_anonymous, created_at)
       select 'Relleno de prueba', 'Un relleno con más de veinte caracteres', 'Perú', true, now() - interval '1 day' - n * interval '1 second'
       from generate_series(1, $1::integer) n`,
      [LIMITS.adminSearchWindow],
    );
    await app.sql(
      "insert into consultations (title, content, country, is_anonymous, created_at) values ('La aguja en el pajar', 'Un texto con más de veinte caracteres', 'Perú', true, now() - interval '9 days')",
    );
    const near = await list("?q=aguja");
    expect(near.items).toEqual([]);
    expect(near.next_cursor).not.toBeNull();
    const far = await list(`?q=aguja&cursor=${near.next_cursor}`);
    expect(far.items.map((one: { title: string }) => one.title)).toEqual(["La aguja en el pajar"]);
    expect(far.next_cursor).toBeNull();
    await app.sql("delete from consultations where title in ('Relleno de prueba', 'La aguja en el pajar')");
  });

  test("names no one who asked anonymously", async () => {
    const author = await app.person({ name: "Nombre Secreto" });
    const id = await ask(app, author, { title: "Una canaria en la mina" });
    const answer = await app.call("GET", "/admin/consultations?q=canaria", undefined, admin);
    expect(answer.body.items.find((one: { id: string }) => one.id === id).author_label).toBe("Anónimo");
    const page = await app.page("/admin?vista=consultas&q=canaria", admin);
    for (const secret of [author.id, author.email, author.full_name]) {
      expect(answer.text).not.toContain(secret);
      expect(page.text).not.toContain(secret);
    }
  });

  test("and its page stand behind the guard, with their words", async () => {
    const page = await app.page("/admin?vista=consultas", admin);
    expect(page.text).toContain("Consultas recientes");
    const none = await app.page("/admin?vista=consultas&q=algo-que-nadie-escribe", admin);
    expect(none.text).toContain("Ninguna consulta con «algo-que-nadie-escribe»");
    const refused = await app.page("/admin?vista=consultas", await app.person());
    expect([refused.status, refused.text.includes("Acceso Denegado")]).toEqual([403, true]);
  });
});

describe("the administrator's list of psychologists", () => {
  const names = async (query = "") =>
    (await app.call("GET", `/admin/psychologists${query}`, undefined, admin)).body.items.map(
      (one: { full_name: string }) => one.full_name,
    );

  test("is filtered by state, country and Gold, and goes on to the end", async () => {
    await app.person({ type: "psychologist", name: "Verificada Chile", country: "Chile" });
    await app.person({ type: "psychologist", name: "Pendiente Chile", country: "Chile", verified: false });
    await app.person({ type: "psychologist", name: "Gold Perú", country: "Perú", gold: "active" });
    await app.person({ type: "psychologist", name: "Vencida Perú", country: "Perú", gold: "expired" });
    expect((await names("?country=Chile")).sort()).toEqual(["Pendiente Chile", "Verificada Chile"]);
    expect(await names("?country=Chile&state=verified")).toEqual(["Verificada Chile"]);
    expect(await names("?state=pending")).toEqual(["Pendiente Chile"]);
    expect(await names("?gold=yes")).toEqual(["Gold Perú"]);
    expect(await names("?gold=no&country=Per%C3%BA")).toEqual(["Vencida Perú"]);
    // Who never had any, too.
    expect((await names("?gold=no&country=Chile")).sort()).toEqual(["Pendiente Chile", "Verificada Chile"]);
    const page = await app.page("/admin?vista=psicologos&gold=si", admin);
    expect(page.text).toContain("Gold Perú");
    expect(page.text).not.toContain("Vencida Perú");
    await Promise.all(Array.from({ length: 25 }, (_, i) => app.person({ type: "psychologist", name: `Otra ${i}` })));
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null; ) {
      const { body }: { body: { items: { id: string }[]; next_cursor: string | null } } = await app.call(
        "GET",
        `/admin/psychologists${cursor && `?cursor=${cursor}`}`,
        undefined,
        admin,
      );
      seen.push(...body.items.map((one: { id: string }) => one.id));
      cursor = body.next_cursor;
    }
    const rows = await app.sql<{ id: string }>(
      "select id from psychologist_profiles order by created_at desc, id desc",
    );
    expect(seen).toEqual(rows.map(({ id }) => id));
  });
});

describe("help lines that no one has checked for 90 days", () => {
  test("are told to the administrator with their date, and to no one else", async () => {
    // Long after the day on which any of them was checked, with the session kept alive.
    const later = new Date("2030-01-01T00:00:00Z");
    await app.sql("update sessions set seen_at = $2, expires_at = $3 where account_id = $1", [
      admin.id,
      later,
      new Date(later.getTime() + DAY),
    ]);
    app.setNow(later);
    const { body } = await app.call("GET", "/admin/help-lines/overdue", undefined, admin);
    expect(body.length).toBeGreaterThan(10);
    expect(Object.keys(body[0]).sort()).toEqual([
      "country",
      "dial_number",
      "hours",
      "name",
      "official_url",
      "shown_number",
      "verified_on",
    ]);
    const page = await app.page("/admin?vista=ayuda", admin);
    expect(page.text).toContain(`${body.length} líneas esperan una nueva comprobación`);
    expect(page.text).not.toContain("help-lines.json");
    expect((await app.call("GET", "/admin/help-lines/overdue")).status).toBe(401);
  });
});
