import { CompiledQuery } from "kysely";
import { beforeAll, describe, expect, onTestFinished, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { waitForBlockedQueries } from "#test/locks.ts";
import { testDatabases } from "#test/test-databases.ts";
import { ask, postAnswer, postReply, putVote } from "#test/threads.ts";
import { lockConsultation, upsertVote } from "../threads/store.ts";
import { type Db, openDatabases, type PublicDb, type Tx, withClient } from "./handles.ts";

const { app, databases, lost, publicly } = testDatabases();

const VIEWS = `answers community_numbers consultation_search consultations deleted_items psychologists replies reviews
verified_psychologists`.split(/\s/);

describe("public handle", () => {
  test("reads only its own schema as divan_public", async () => {
    expect(await publicly("select current_user as role, current_schemas(false)::text as path")).toEqual([
      { role: "divan_public", path: "{visible}" },
    ]);
    expect(await publicly("select author_label from consultations limit 0")).toEqual([]);
  });

  test("uses the role divan_public on each of 16 connections, also after a reconnect", async () => {
    const many = openDatabases(app.databaseUrl, (error) => lost.push(error));
    onTestFinished(() => many.close());
    const query = CompiledQuery.raw("select pg_backend_pid() as pid, current_user as role from pg_sleep(0.3)");
    const read = async () => (await many.publicDb.executeQuery<{ pid: number; role: string }>(query)).rows[0]!;
    const pids: unknown[] = [];
    for (let round = 0; round < 2; round++) {
      const rows = await Promise.all(Array.from({ length: 16 }, read));
      expect(new Set(rows.map(({ pid }) => pid)).size).toBe(16);
      expect(rows.map(({ role }) => role)).toEqual(Array(16).fill("divan_public"));
      expect(rows.some(({ pid }) => pids.includes(pid))).toBe(false);
      pids.push(...rows.map(({ pid }) => pid));
      lost.length = 0;
      await app.sql("select pg_terminate_backend(pid) from pg_stat_activity where pid = any($1)", [pids]);
      await expect.poll(() => lost.length).toBe(16);
    }
  });

  test("returns no statistics of tables and no queries of other connections", async () => {
    await app.sql("analyze");
    expect(await app.sql("select from pg_stats where schemaname = 'public' limit 1")).toHaveLength(1);
    expect(await publicly("select tablename, attname from pg_stats where schemaname = 'public'")).toEqual([]);
    const texts = "select string_agg(query, ' ') as texts from pg_stat_activity where pid <> pg_backend_pid()";
    await withClient({ connectionString: app.databaseUrl }, async (client) => {
      await client.query("select pg_advisory_lock(1)");
      const slow = databases.pool.query("select pg_advisory_lock(1), 'a-secret-in-a-query'");
      await waitForBlockedQueries(app, 1);
      expect((await app.sql<{ texts: string }>(texts))[0]!.texts).toContain("a-secret-in-a-query");
      expect((await publicly(texts))[0]!.texts).not.toContain("a-secret-in-a-query");
      await client.query("select pg_advisory_unlock(1)");
      await slow;
      await databases.pool.query("select pg_advisory_unlock_all()");
    });
  });

  test("uses the same role after a reset", async () => {
    for (const reset of ["reset role", "reset all"])
      await expect(publicly(`${reset}; select user_id from public.consultations`)).rejects.toMatchObject({
        code: "42501",
      });
  });
});

describe("visible views", () => {
  let author: TestUser;
  let id: string;
  beforeAll(async () => {
    author = await app.person({ name: "Nombre Canario", email: "correo-canario@example.com" });
    await app.sql("update profiles set avatar_url = '/retrato-canario.webp' where id = $1", [author.id]);
    const psychologist = await app.person({ type: "psychologist" });
    id = await ask(app, author, { is_anonymous: true, author_name: "Apodo Canario" });
    const answer = await postAnswer(app, id, psychologist, "Una respuesta");
    await postReply(app, answer.body.id, author, "Gracias");
    await putVote(app, "answers", answer.body.id, author);
    await putVote(app, "consultations", id, author);
    await app.sql(
      "insert into psychologist_reviews (psychologist_id, user_id, rating, comment) values ($1, $2, 5, 'Muy bien')",
      [psychologist.id, author.id],
    );
    await app.sql("insert into deleted_items (id) values (gen_random_uuid())");
  });

  test("contain no data of an anonymous author in any column", async () => {
    for (const view of VIEWS) {
      const rows = await publicly(`select v::text as whole from visible.${view} v`);
      expect(rows.length).toBeGreaterThan(0);
      for (const { whole } of rows) {
        expect(whole).not.toMatch(/canario/i);
        expect(whole).not.toContain(author.id);
      }
    }
    expect(await publicly(`select author_label from consultations where id = '${id}'`)).toEqual([
      { author_label: null },
    ]);
  });

  test("contain no column that identifies a user, except psychologists", async () => {
    const columns = await app.sql<{ column: string }>(
      `select table_name || '.' || column_name as column from information_schema.columns where table_schema = 'visible'
       and column_name ~ '(user|author|profile|account|email|mail|person|_id$)' order by 1`,
    );
    expect(columns.map(({ column }) => column).join(" ")).toBe(
      "answers.consultation_id answers.psychologist_id consultation_search.consultation_id consultations.author_label replies.response_id reviews.author_label reviews.psychologist_id",
    );
  });
});

describe("rights of divan_public", () => {
  test("include only reading the views, also through columns and other roles", async () => {
    const effective = await app.sql<{ may: string }>(
      `select nspname || '.' || relname || ': ' || privilege as may
       from pg_class join pg_namespace n on n.oid = relnamespace,
         unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
       where relkind in ('r', 'p', 'v', 'm', 'f') and nspname !~ '^(pg_|information_schema)'
         and has_table_privilege('divan_public', pg_class.oid, privilege) order by 1`,
    );
    expect(effective.map((row) => row.may)).toEqual(VIEWS.map((view) => `visible.${view}: SELECT`));
    const columns = await app.sql(
      `select table_name, column_name, privilege_type from information_schema.column_privileges
       where grantee in ('divan_public', 'PUBLIC') and table_schema not in ('pg_catalog', 'information_schema', 'visible')`,
    );
    expect(columns).toEqual([]);
    expect(await app.sql("select from pg_auth_members where member = 'divan_public'::regrole")).toEqual([]);
  });

  test("exclude signing in, creating roles, databases or objects", async () => {
    const rights = "rolsuper or rolcanlogin or rolcreaterole or rolcreatedb or rolreplication or rolbypassrls";
    expect(await app.sql(`select ${rights} as any from pg_roles where rolname = 'divan_public'`)).toEqual([
      { any: false },
    ]);
    const schemas =
      "select from pg_namespace where nspname !~ '^pg_' and has_schema_privilege('divan_public', oid, 'create')";
    expect(await app.sql(schemas)).toEqual([]);
  });
});

describe("database types", () => {
  // Never runs. The compiler checks it: a line that compiles despite @ts-expect-error is an error.
  const neverRun = (db: Db, publicDb: PublicDb, tx: Tx) => [
    () => publicDb.selectFrom("consultations").select(["id", "author_label"]),
    () => db.selectFrom("consultations").select("user_id"),
    () => lockConsultation(tx, "id"),
    // @ts-expect-error the public handle has no author of a consultation
    () => publicDb.selectFrom("consultations").select("user_id"),
    // @ts-expect-error a lock requires a transaction
    () => lockConsultation(db, "id"),
    // @ts-expect-error a recount requires a transaction
    () => upsertVote(db, "consultations", "id", "id", "up"),
    // @ts-expect-error the public handle does not replace the private one
    (): Db => publicDb,
    // @ts-expect-error the private handle does not replace the public one
    (): PublicDb => db,
  ];

  test("separate both handles and transactions (checked by the compiler)", () => {
    expect(neverRun).toBeTypeOf("function");
  });
});
