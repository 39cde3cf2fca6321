import { beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { whileRowLocked, withRowsLocked } from "#test/locks.ts";
import { expectCountersMatchRows } from "#test/own-data.ts";
import { removalSteps } from "#test/removals.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, publishAnswer, publishReply, putVote } from "#test/threads.ts";
import { undoSteps } from "#test/undoing.ts";
import { sendMail } from "../../background.ts";
import type { MailJob } from "../../mail/queues.ts";
import { deleteRemoval } from "./store.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

const { limitOf, remove, versionOf } = removalSteps(app, admin);
const { now, wait, undo, undoable } = undoSteps(app, admin);
const list = async (query = "") => (await app.call("GET", `/admin/consultations${query}`, undefined, admin)).body;

describe("undoing a removal", () => {
  async function removed(id: string): Promise<string> {
    expect((await remove(id)).status).toBe(200);
    const [row] = await app.sql<{ decision_id: string }>(
      "select decision_id from removed_consultations where consultation_id = $1",
      [id],
    );
    return row!.decision_id;
  }
  const kept = async () => (await app.sql("select from removed_consultations")).length;
  /** Runs the queued jobs of removals. */
  async function deleteKept(): Promise<void> {
    await app.sql("update pgboss.job set start_after = now() where name = 'removals'");
    for (const job of await app.context.boss.fetch<{ decision_id: string }>("removals", { batchSize: 50 })) {
      await deleteRemoval(app.context.db, job.data.decision_id);
      await app.context.boss.complete("removals", job.id);
    }
  }
  /** A consultation with answers, replies and votes of several users. */
  async function thread(more: Record<string, unknown> = {}) {
    const [author, reader, psychologist] = [
      await app.person({ name: "Autora Secreta" }),
      await app.person(),
      await app.person({ type: "psychologist" }),
    ];
    const id = await ask(app, author, { title: "Lo que volvió a su lugar", ...more });
    const answers = [await publishAnswer(app, id, psychologist), await publishAnswer(app, id, psychologist)];
    const replies = [await publishReply(app, answers[0]!, author), await publishReply(app, answers[0]!, reader)];
    await putVote(app, "consultations", id, reader);
    await putVote(app, "consultations", id, psychologist, "down");
    await putVote(app, "answers", answers[1]!, reader);
    await app.call("PUT", `/answers/${answers[1]}/thanks`, { on: true }, reader);
    return { author, reader, psychologist, id, answers, replies };
  }
  type Thread = Awaited<ReturnType<typeof thread>>;
  /** Reads all rows of a thread, its authors' counters and all public views. */
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
       union all select to_jsonb(t) from response_thanks t join consultation_responses r on r.id = t.response_id where consultation_id = $1
       union all select to_jsonb(p) from consultation_replies p join consultation_responses r on r.id = p.response_id where consultation_id = $1
       union all select to_jsonb(p) from psychologist_profiles p where id = $2
       union all select jsonb_build_array(weekly_consultations_used, weekly_window_started_at) from profiles where id = $3
       union all select to_jsonb(d) from deleted_items d where id = $1`,
      [id, psychologist.id, author.id],
    );
    return { rows: rows.map((row) => JSON.stringify(row)).sort(), seen };
  }
  beforeEach(async () => {
    await app.sql("delete from removed_consultations");
  });

  test("restores every row and counter", async () => {
    const whole = await thread();
    const { id, answers, replies } = whole;
    // The author of a reply has deleted the account.
    await app.sql("update consultation_replies set user_id = null where id = $1", [replies[1]]);
    const before = await everything(whole);
    const [{ created_at: listed_at }] = (await list()).items;
    const decision = await removed(id);
    // The consultation responds 410 until the undo.
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
    expect((await app.call("GET", `/consultations/${id}`, undefined, whole.author)).status).toBe(410);
    expect((await app.call("PUT", `/answers/${answers[0]}/vote`, { vote: "up" }, whole.reader)).status).toBe(410);
    expect((await list()).items.map((one: { id: string }) => one.id)).not.toContain(id);
    wait(LIMITS.undoSeconds - 1);
    const shown = await undoable();
    expect(shown).toEqual([
      {
        id: decision,
        decision: "consultation_deleted",
        target_id: id,
        name: "Lo que volvió a su lugar",
        // To the minute if it is anonymous, as in the list.
        listed_at,
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

  test("responds 409 after 15 s, when no removed text is left in any table", async () => {
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

  test("competes with the deletion job: exactly one of the two wins in each round", async () => {
    for (let round = 0; round < (FULL_RUN ? 15 : 4); round++) {
      const id = await ask(app, await app.person());
      const decision = await removed(id);
      const work = () => deleteRemoval(app.context.db, decision);
      const first = round % 2 ? null : work();
      const undoing = undo(decision);
      const [{ status }] = await Promise.all([undoing, first ?? work()]);
      expect(status === 200 ? 200 : 410, `round ${round}`).toBe((await app.call("GET", `/consultations/${id}`)).status);
      expect(await kept()).toBe(0);
    }
  });

  test("responds 200 once and 409 to 9 concurrent requests; an older removal stays removed", async () => {
    const { id } = await thread();
    const first = await removed(id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => undo(first)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(9).fill(409)]);
    wait(1);
    const second = await removed(id);
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
    expect((await undo(second)).status).toBe(200);
  });

  test("counts the restored consultation in the weekly limit next to a newer one", async () => {
    const { author, id } = await thread();
    const before = await limitOf(author);
    const decision = await removed(id);
    expect(await limitOf(author)).toMatchObject({ used: 0 });
    wait(5);
    const again = await ask(app, author);
    expect((await undo(decision)).status).toBe(200);
    expect(await limitOf(author)).toEqual({ ...before, used: 2 });
    for (const one of [id, again]) expect((await app.call("GET", `/consultations/${one}`)).status).toBe(200);
    // Two consultations count; removing one leaves one.
    await remove(again);
    expect(await limitOf(author)).toEqual({ ...before, used: 1 });
  });

  test("responds 409 after an author of the thread deleted a text, but not after attempts of other users", async () => {
    const [own, answer, reply, whole] = [await thread(), await thread(), await thread(), await thread()];
    const threads = [own, answer, reply, whole];
    const decisions: string[] = [];
    for (const { id } of threads) decisions.push(await removed(id));
    const deletion = (path: string, as: TestUser) => app.call("DELETE", path, undefined, as);
    const responses = [
      await deletion(`/consultations/${own.id}`, own.author),
      await deletion(`/answers/${answer.answers[1]}`, answer.psychologist),
      await deletion(`/replies/${reply.replies[0]}`, reply.author),
      await deletion(`/consultations/${whole.id}`, whole.reader),
      await deletion(`/answers/${whole.answers[0]}`, answer.psychologist),
      await deletion(`/replies/${whole.replies[0]}`, whole.reader),
    ];
    // Nothing reveals whether a removal was stored.
    expect(responses.map(({ status }) => status)).toEqual(Array(6).fill(410));
    expect(await kept()).toBe(1);
    const undone = [];
    for (const decision of decisions) undone.push(await undo(decision));
    expect(undone.map(({ status }) => status)).toEqual([409, 409, 409, 200]);
    expect(undone[0]!.body.code).toBe("undo_superseded");
    for (const { id } of threads.slice(0, 3)) expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test.each([
    ["restores a consultation that is then deleted if it is first", [200, 200]],
    ["responds 409 if it is second", [410, 409]],
  ])("competes with the author's deletion: %s", async (_title, statuses) => {
    const { id, author } = await thread();
    const decision = await removed(id);
    const undoing = () => undo(decision);
    const deleting = () => app.call("DELETE", `/consultations/${id}`, undefined, author);
    const made = await withRowsLocked(
      app,
      "select from removed_consultations where consultation_id = $1 for update",
      [id],
      statuses[1] === 409 ? [deleting, undoing] : [undoing, deleting],
    );
    expect(made.map(({ status }) => status)).toEqual(statuses);
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
    expect(await kept()).toBe(0);
  });

  /** Deletes an account with its anonymous texts. */
  async function leave(person: TestUser) {
    await app.sql("update sessions set password_at = $2 where account_id = $1", [person.id, now()]);
    return app.call("DELETE", "/account", { anonymous_texts: "delete" }, person);
  }

  test("responds 409 after any author of the thread deleted the account, and stores nothing of it after the window", async () => {
    const voter = await app.person();
    for (const leaver of ["author", "reader", "psychologist", "voter"] as const) {
      const one = { ...(await thread({ is_anonymous: leaver !== "author" })), voter };
      await putVote(app, "answers", one.answers[0]!, voter);
      const decision = await removed(one.id);
      expect((await leave(one[leaver])).status).toBe(200);
      expect(await undo(decision)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
      expect((await app.page(`/consulta/${one.id}`)).status).toBe(410);
      await deleteKept();
      expect(await kept()).toBe(0);
    }
  });

  test.each([
    ["restores the whole thread if it is first", [200, 200]],
    ["responds 409 if it is second", [200, 409]],
  ])("competes with the deletion of an account: %s", async (_title, statuses) => {
    const whole = await thread();
    const decision = await removed(whole.id);
    const starts = [() => undo(decision), () => leave(whole.reader)];
    const made = await whileRowLocked(
      app,
      "profiles",
      whole.reader.id,
      statuses[1] === 409 ? starts.toReversed() : starts,
    );
    expect(made.map(({ status }) => status)).toEqual(statuses);
    if (statuses[1] === 409) return deleteKept();
    const { body } = await app.call("GET", `/consultations/${whole.id}`);
    expect(body.consultation).toMatchObject({ upvotes: 1, downvotes: 1, response_count: 2 });
    const anonymised = await app.sql("select delete_at from consultation_replies where id = $1 and user_id is null", [
      whole.replies[1],
    ]);
    expect(anonymised).toEqual([{ delete_at: expect.any(Date) }]);
  });

  test("restores a reply without its author, whose account is deleted while the consultation is removed", async () => {
    const { id, reader, replies } = await thread();
    const version = await versionOf(id);
    const made = await whileRowLocked(app, "consultation_replies", replies[1]!, [
      () => leave(reader),
      () => remove(id, admin, version),
    ]);
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    const [decision] = await undoable();
    expect((await undo(decision.id)).status).toBe(200);
    expect(await app.sql("select user_id from consultation_replies where id = $1", [replies[1]])).toEqual([
      { user_id: null },
    ]);
  });

  test("leaves all counters right when users of the thread delete their accounts concurrently", async () => {
    for (let round = 0; round < (FULL_RUN ? 6 : 2); round++) {
      const { id, author, psychologist, reader } = await thread();
      const decision = await removed(id);
      const people = round % 2 ? [psychologist] : [author, reader];
      const [undone, ...left] = await Promise.all([undo(decision), ...people.map(leave)]);
      expect(left.map(({ status }) => status)).toEqual(people.map(() => 200));
      expect((await app.call("GET", `/consultations/${id}`)).status).toBe(undone!.status === 200 ? 200 : 410);
      await expectCountersMatchRows(app);
      await deleteKept();
    }
  });

  test("notifies the author of an answer whose mail was due while removed", async () => {
    const { id, author } = await thread({ notify_on_answer: true });
    // Of an earlier week: its author gets no other consultation for it.
    await app.sql("update profiles set weekly_window_started_at = now() - interval '8 days' where id = $1", [
      author.id,
    ]);
    const decision = await removed(id);
    const work = async () => {
      await app.sql("update pgboss.job set start_after = now() where name = 'mail'");
      for (const job of await app.context.boss.fetch<MailJob>("mail", { batchSize: 50 })) {
        await sendMail(app.context, job.data);
        await app.context.boss.complete("mail", job.id);
      }
      return app.sql("select subject from demo_mails where recipient = $1", [author.email]);
    };
    expect(await work()).toEqual([]);
    await undo(decision);
    expect(await work()).toEqual([{ subject: "Hay novedades en tu cuenta" }]);
    // An author who was notified gets no second mail.
    const again = await removed(id);
    await undo(again);
    expect(await work()).toHaveLength(1);
  });

  test("appears on the page after a removal from the list or the detail page", async () => {
    const { id } = await thread();
    await app.form("/admin/consultas", { intent: "delete", id, version: await versionOf(id) }, admin);
    const text = (await app.page("/admin/consultas", admin)).text.replaceAll("<!-- -->", "");
    expect(text).toContain("Se borra en 15 segundos.");
    const [, decision] = /name="intent" value="undo"\/><input type="hidden" name="id" value="([^"]+)"/.exec(text)!;
    const undone = await app.form("/admin/consultas", { intent: "undo", id: decision! }, admin);
    expect([undone.status, undone.headers.get("location")]).toEqual([302, "/admin/consultas"]);
    const elsewhere = await app.form(`/consulta/${id}/eliminar`, { version: await versionOf(id) }, admin);
    const cookie = [admin.cookie, ...elsewhere.headers.getSetCookie().map((one) => one.split(";")[0])].join("; ");
    expect((await app.page("/", { ...admin, cookie })).text).toMatch(
      /<a [^>]*href="\/admin\/consultas"[^>]*>Deshacer</,
    );
    await deleteKept();
  });
});
