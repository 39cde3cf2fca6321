import { randomUUID } from "node:crypto";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import { MINUTE } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { withRowsLocked } from "#test/locks.ts";
import { registration } from "#test/people.ts";
import { removalSteps } from "#test/removals.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, publishAnswer, publishReply, putVote } from "#test/threads.ts";
import { claimAnswerMail, releaseAnswerMail } from "../../answers/mail-store.ts";
import { sendMail } from "../../background.ts";
import { housekeeping } from "../../housekeeping.ts";
import type { MailJob } from "../../mail/queues.ts";
import { purgeRemoval } from "./jobs.ts";
import type { RemovalJob } from "./queues.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
afterEach(() => app.setNow(null));

const { limitOf, remove, versionOf } = removalSteps(app, admin);
const list = async (query = "") => (await app.call("GET", `/admin/consultations${query}`, undefined, admin)).body;

describe("undoing a removal", () => {
  const undo = (id: string) => app.call("POST", `/admin/decisions/${id}/undo`, {}, admin);
  const undoable = async () => (await app.call("GET", "/admin/decisions/undoable", undefined, admin)).body;
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
  /** Runs the queued jobs of removals. */
  async function deleteKept(): Promise<void> {
    await app.sql("update pgboss.job set start_after = now() where name = 'removals'");
    for (const job of await app.context.boss.fetch<RemovalJob>("removals", { batchSize: 50 })) {
      await purgeRemoval(app.context, job.data);
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
  /** Frozen clock. */
  let at = new Date();
  let start = at.getTime() + 3600_000;
  const wait = (seconds: number) => {
    at = new Date(at.getTime() + seconds * 1000);
    app.setNow(at);
  };
  beforeEach(async () => {
    await app.sql("delete from pgboss.job");
    await app.sql("delete from removed_consultations");
    start += MINUTE;
    at = new Date(start);
    app.setNow(at);
  });

  test("restores every row and counter", async () => {
    const whole = await thread();
    const { id, answers, replies } = whole;
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
        decision: "removed",
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

  test("leaves removals with a lost job to housekeeping, which ignores recent ones", async () => {
    const old = await removed((await thread()).id);
    wait(120);
    const { id } = await thread();
    await removed(id);
    await housekeeping(app.context);
    expect(await app.sql("select decision_id from removed_consultations where decision_id = $1", [old])).toEqual([]);
    expect(await app.sql("select 1 from removed_rows where consultation_id = $1", [id])).not.toEqual([]);
    await deleteKept();
  });

  test("competes with the deletion job: exactly one of the two wins in each round", async () => {
    for (let round = 0; round < (FULL_RUN ? 15 : 4); round++) {
      const id = await ask(app, await app.person());
      const decision = await removed(id);
      const work = () => purgeRemoval(app.context, { decision_id: decision });
      const both = round % 2 ? [undo(decision), work()] : [work(), undo(decision)];
      const { status } = (await Promise.all(both)).find((one) => one !== undefined)!;
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
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
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

  test("restores nothing that its author deleted after the removal", async () => {
    const [own, page, parts] = [await thread(), await thread(), await thread()];
    const decisions = [await removed(own.id), await removed(page.id), await removed(parts.id)];
    // Requests of other users change nothing and reveal nothing.
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
    expect(body.answers[0].reply_count).toBe(1);
    expect((await app.call("DELETE", `/answers/${parts.answers[1]}`, undefined, parts.psychologist)).status).toBe(410);
    expect(
      await app.sql("select total_responses, total_votes from psychologist_profiles where id = $1", [
        parts.psychologist.id,
      ]),
    ).toEqual([{ total_responses: 1, total_votes: 0 }]);
    await deleteKept();
  });

  test("lets an author who deletes the consultation during the undo delete the restored one", async () => {
    const { id, author } = await thread();
    const decision = await removed(id);
    const made = await withRowsLocked(
      app,
      "select from removed_rows where id = $1 for update",
      [id],
      [() => undo(decision), () => app.call("DELETE", `/consultations/${id}`, undefined, author)],
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    expect((await app.page(`/consulta/${id}`)).status).toBe(410);
  });

  test("omits rows whose author deleted the account and anonymises the anonymous ones", async () => {
    const leave = async (person: TestUser) => {
      await app.sql("update sessions set password_at = $2 where account_id = $1", [person.id, at]);
      expect((await app.call("DELETE", "/account", { anonymous_texts: "delete" }, person)).status).toBe(200);
    };
    const [named, anonymous] = [await thread({ is_anonymous: false }), await thread({ notify_on_answer: true })];
    const decisions = [await removed(named.id), await removed(anonymous.id)];
    await leave(named.author);
    for (const one of [anonymous.author, anonymous.reader]) await leave(one);
    expect((await undo(decisions[0]!)).body.code).toBe("undo_superseded");
    const [row] = await app.sql(
      "select 1 from removed_rows where data::text like '%' || $1 || '%' or author_id = $1::uuid",
      [named.author.id],
    );
    expect(row).toBeUndefined();
    expect((await undo(decisions[1]!)).status).toBe(200);
    const { body } = await app.call("GET", `/consultations/${anonymous.id}`);
    expect(body.consultation).toMatchObject({ upvotes: 1, downvotes: 1, response_count: 2 });
    const thanks = (await app.call("GET", `/consultations/${anonymous.id}`, undefined, anonymous.psychologist)).body;
    const counts = thanks.answers.map(({ viewer }: { viewer: { thanks: number } }) => viewer.thanks);
    expect(counts.toSorted()).toEqual([0, 1]);
    const choice = await app.sql("select notify_on_answer from consultations where id = $1", [anonymous.id]);
    expect(choice).toEqual([{ notify_on_answer: false }]);
    const anonymised = await app.sql<{ user_id: string | null; delete_at: Date | null }>(
      `select user_id, delete_at from consultations where id = $1
       union all select user_id, delete_at from consultation_replies where id = any($2)`,
      [anonymous.id, anonymous.replies],
    );
    expect(anonymised).toHaveLength(3);
    for (const { user_id, delete_at } of anonymised) {
      expect(user_id).toBeNull();
      expect(delete_at!.getTime()).toBeGreaterThan(at.getTime());
    }
    expect(new Set(anonymised.map(({ delete_at }) => delete_at!.getTime())).size).toBe(3);
    await deleteKept();
  });

  test("restores a comment that was anonymised while it was removed", async () => {
    const { id, reader } = await thread();
    const version = await versionOf(id);
    await app.sql("update sessions set password_at = $2 where account_id = $1", [reader.id, at]);
    // The deletion of the account waits for this row after it has anonymised the comment.
    await app.call("POST", "/registrations", registration(reader.email));
    const made = await withRowsLocked(
      app,
      "select from pending_registrations where email = $1 for update",
      [reader.email],
      [() => app.call("DELETE", "/account", { anonymous_texts: "keep" }, reader), () => remove(id, admin, version)],
    );
    expect(made.map(({ status }) => status)).toEqual([200, 200]);
    expect((await undo((await undoable())[0].id)).status).toBe(200);
    const { answers } = (await app.call("GET", `/consultations/${id}`)).body;
    expect(answers.flatMap((one: { replies: unknown[] }) => one.replies)).toHaveLength(2);
  });

  test("leaves all counters right when users of the thread delete their accounts concurrently", async () => {
    for (let round = 0; round < (FULL_RUN ? 6 : 2); round++) {
      const { id, author, psychologist, reader, answers: made } = await thread();
      const answersGo = round % 2 === 1;
      const decision = await removed(id);
      const people = answersGo ? [psychologist] : [author, reader];
      await app.sql("update sessions set password_at = $2 where account_id = any($1::uuid[])", [
        people.map((person) => person.id),
        at,
      ]);
      const outcomes = await Promise.all([
        undo(decision),
        ...people.map((person) => app.call("DELETE", "/account", { anonymous_texts: "keep" }, person)),
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
      const gone = await app.sql("select from deleted_items where id = any($1)", [made]);
      expect(gone).toHaveLength(answersGo ? 2 : 0);
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
    // If the removal happens between claim and delivery of a mail, the claim is released.
    const other = await thread({ notify_on_answer: true });
    const mailId = randomUUID();
    expect(await claimAnswerMail(app.context.db, other.id, mailId)).toBeDefined();
    // Another mail neither claims it nor releases the claim.
    await releaseAnswerMail(app.context.db, other.id, randomUUID());
    expect(await claimAnswerMail(app.context.db, other.id, randomUUID())).toBeUndefined();
    const cut = await removed(other.id);
    await releaseAnswerMail(app.context.db, other.id, mailId);
    await undo(cut);
    await work();
    expect(await app.sql("select 1 from demo_mails where recipient = $1", [other.author.email])).toHaveLength(1);
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
