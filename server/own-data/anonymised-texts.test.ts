import { describe, expect, test } from "vitest";
import { DAY, HOUR, SECOND } from "#shared/time.ts";
import { whileRowLocked } from "#test/locks.ts";
import {
  askIgnoringWeeklyLimit,
  consentingUser,
  consentingUsers,
  deleteAccount,
  dueTimes,
  expectCountersMatchRows,
  GOLD_PSYCHOLOGIST,
  putReview,
} from "#test/own-data.ts";
import { setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { publishAnswer, publishReply } from "#test/threads.ts";
import { sweepAnonymisedTexts } from "./jobs.ts";
import { anonymisedTextDueAt } from "./store.ts";

const { app } = setUpTestAppWithMailbox();

describe("DELETE /account with anonymous texts", () => {
  /** A user who wrote without a name in threads of other users and deleted the account at a known time. */
  async function left(anonymous_texts: "delete" | "keep") {
    const [person, psychologist] = await consentingUsers(app, {}, GOLD_PSYCHOLOGIST);
    const consultations = [
      await askIgnoringWeeklyLimit(app, person),
      await askIgnoringWeeklyLimit(app, person),
      await askIgnoringWeeklyLimit(app, person),
    ];
    const replies: string[] = [];
    for (let i = 0; i < 2; i++)
      replies.push(
        await publishReply(
          app,
          await publishAnswer(app, await askIgnoringWeeklyLimit(app, await consentingUser(app)), psychologist),
          person,
        ),
      );
    await putReview(app, psychologist, person, false, 2);
    const [review] = await app.sql<{ id: string }>("select id from psychologist_reviews where user_id = $1", [
      person.id,
    ]);
    const at = app.freeze();
    expect((await deleteAccount(app, person, anonymous_texts)).status).toBe(200);
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

  test("deletes anonymised texts within 3 days at random times if the user wished so", async () => {
    const { psychologist, consultations, ids, at } = await left("delete");
    const planned = await dueTimes(app, ids);
    expect(planned).toHaveLength(6);
    for (const { delete_at, rewrite_at } of planned) {
      expect(rewrite_at).toBeNull();
      expect(delete_at!.getTime() - at.getTime()).toBeGreaterThanOrEqual(HOUR);
      expect(delete_at!.getTime() - at.getTime()).toBeLessThan(72 * HOUR);
    }
    expect(new Set(planned.map(({ delete_at }) => Math.round(delete_at!.getTime() / 10_000))).size).toBeGreaterThan(3);
    // Each text stays until its own time.
    later(at, HOUR / SECOND - 1);
    await sweepAnonymisedTexts(app.context);
    expect(await dueTimes(app, ids)).toHaveLength(6);
    const order = planned.toSorted((one, other) => one.delete_at!.getTime() - other.delete_at!.getTime());
    for (const [gone, { id, delete_at }] of order.entries()) {
      app.setNow(new Date(delete_at!.getTime() - 1));
      await sweepAnonymisedTexts(app.context);
      expect((await dueTimes(app, ids)).map((row) => row.id)).toContain(id);
      app.setNow(delete_at);
      await Promise.all([sweepAnonymisedTexts(app.context), sweepAnonymisedTexts(app.context)]);
      expect(await dueTimes(app, ids)).toHaveLength(6 - gone - 1);
    }
    const [row] = await app.sql("select * from psychologist_profiles where id = $1", [psychologist.id]);
    expect(row).toMatchObject({ total_reviews: 0, rating: null });
    expect((await app.page(`/consulta/${consultations[0]}`)).status).toBe(410);
    await expectCountersMatchRows(app);
  });

  test("counts both a review that is deleted and one that is created concurrently", async () => {
    const [person, other, psychologist] = await consentingUsers(app, {}, {}, { type: "psychologist" });
    await putReview(app, psychologist, person, false);
    const at = app.freeze();
    await deleteAccount(app, person);
    later(at, 72 * 3600);
    await whileRowLocked<unknown>(app, "psychologist_profiles", psychologist.id, [
      () => putReview(app, psychologist, other, false, 5),
      () => sweepAnonymisedTexts(app.context),
    ]);
    await expectCountersMatchRows(app);
  });

  test("deletes the other texts if one cannot be deleted, and that one in a later sweep", async () => {
    const { consultations, ids, at } = await left("delete");
    later(at, 72 * 3600);
    await app.sql(`create function no_deletion() returns trigger language plpgsql as $$ begin
      if old.id = '${consultations[0]}' then raise exception 'not now'; end if; return old; end $$`);
    await app.sql(
      "create trigger no_deletion before delete on consultations for each row execute function no_deletion()",
    );
    await expect(sweepAnonymisedTexts(app.context)).rejects.toThrow("not now");
    expect((await dueTimes(app, ids)).map(({ id }) => id)).toEqual([consultations[0]]);
    await app.sql("drop trigger no_deletion on consultations");
    await sweepAnonymisedTexts(app.context);
    expect(await dueTimes(app, ids)).toEqual([]);
  });

  /** Returns all rows of all tables, including the queue's, that contain an id, as text by column. */
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

  /** Values that could link two rows: ids and times. Texts, vote counts and booleans are equal for many rows. */
  const telling = (found: Map<string, string>, own: string[]) =>
    [...found].flatMap(([where, value]) => {
      const ids = (value.match(/[0-9a-f]{8}-[0-9a-f-]{27}/g) ?? []).filter((id) => !own.includes(id));
      const times = (value.match(/\d{4}-\d\d-\d\dT[\d:.]+/g) ?? []).map((time) => Date.parse(`${time}Z`));
      const transaction = where.includes(".xmin#") ? [value] : [];
      return [...ids, ...transaction, ...times].map((value) => ({ where, value }));
    });

  test.each(["delete", "keep"] as const)(
    "leaves no link between two anonymised texts of one user in the database (%s)",
    async (anonymous_texts) => {
      await app.sql("delete from pgboss.job");
      const { ids, at, psychologist } = await left(anonymous_texts);
      const someoneElses = await left(anonymous_texts);
      // A row's transaction (xmin) links texts until each row was rewritten; the end of this test checks it.
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
      // No job contains one of the ids.
      const jobs = JSON.stringify(await app.sql("select * from pgboss.job"));
      for (const id of ids) expect(jobs).not.toContain(id);
      // No counter increases from one text to the next.
      const counting = await app.sql(
        `select table_name from information_schema.columns where table_schema = 'public' and (column_default like 'nextval%' or is_identity = 'YES') and table_name <> 'migrations'`,
      );
      expect(counting).toEqual([]);
      if (anonymous_texts === "delete") return;
      // After 3 days not even the anonymising transaction is in the remaining rows.
      for (const { id, rewrite_at } of (await dueTimes(app, ids)).toSorted((a, b) => +a.rewrite_at! - +b.rewrite_at!)) {
        expect(rewrite_at!.getTime() - at.getTime()).toBeLessThan(72 * HOUR);
        app.setNow(rewrite_at);
        await sweepAnonymisedTexts(app.context);
        expect(await dueTimes(app, [id])).toEqual([{ id, delete_at: null, rewrite_at: null }]);
      }
      expect(await joins(ids)).toEqual([]);
      // The texts stay, without an author.
      app.setNow(new Date(at.getTime() + 30 * DAY));
      await sweepAnonymisedTexts(app.context);
      expect(await dueTimes(app, ids)).toHaveLength(6);
      app.setNow(null);
      const stranger = await consentingUser(app);
      const path = `/consultations/${ids[0]}`;
      expect((await app.call("DELETE", path, {}, stranger)).status).toBe(404);
      expect((await app.call("GET", path, undefined, stranger)).body.viewer.mine).toBe(false);
    },
  );
});

test("anonymisedTextDueAt returns times spread evenly from 1 to 71 h later", () => {
  const hours = Array.from({ length: 5_000 }, () => anonymisedTextDueAt(new Date(0)).getTime() / HOUR);
  expect([Math.floor(Math.min(...hours)), Math.ceil(Math.max(...hours))]).toEqual([1, 71]);
  expect(hours.filter((hour) => hour < 36).length / hours.length).toBeCloseTo(0.5, 1);
});
