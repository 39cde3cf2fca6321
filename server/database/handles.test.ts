import { CompiledQuery } from "kysely";
import type pg from "pg";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { untilBlocked } from "#test/locks.ts";
import { putVote } from "../consultations/store.ts";
import { lockConsultation } from "../threads/store.ts";
import {
  type Databases,
  type Db,
  isTransient,
  openClient,
  openDatabases,
  openPool,
  type PublicDb,
  retryDeadlocks,
  type Tx,
  violatedConstraint,
} from "./handles.ts";
import { openJobDatabase } from "./job-connections.ts";

let app: TestApp;
let databases: Databases;
const lost: Error[] = [];
beforeAll(async () => {
  app = await openTestApp();
  // A PostgreSQL whose own time zone is not UTC.
  await app.sql(`alter database ${new URL(app.databaseUrl).pathname.slice(1)} set timezone to 'America/Lima'`);
  databases = openDatabases(app.databaseUrl, null, (error) => lost.push(error), { private: 2, public: 2 });
});
afterAll(async () => {
  await databases.close();
  await app.close();
});

const VIEWS = [
  "answers",
  "community_numbers",
  "consultations",
  "deleted_items",
  "psychologists",
  "replies",
  "reviews",
  "verified_psychologists",
];

/** Asks something through the handle for what everyone may see. */
const publicly = async (text: string) =>
  (await databases.publicDb.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;

/** The SQLSTATE with which it is refused, or null. */
const refusalOf = (text: string) =>
  publicly(text).then(
    () => null,
    (error: { code?: string }) => error.code ?? String(error),
  );

const tables = () =>
  app.sql<{ schema: string; name: string }>(
    `select nspname as schema, relname as name from pg_class join pg_namespace n on n.oid = relnamespace
     where relkind in ('r', 'p') and nspname not in ('pg_catalog', 'information_schema') order by 1, 2`,
  );

describe("the handle for what everyone may see", () => {
  test("works as divan_public and reads only its own schema", async () => {
    expect(await publicly("select current_user as role, current_schemas(false)::text as path")).toEqual([
      { role: "divan_public", path: "{visible}" },
    ]);
    expect(await publicly("select author_label from consultations limit 0")).toEqual([]);
  });

  test("cannot read who wrote a consultation, nor filter or join by it", async () => {
    for (const text of [
      "select user_id from public.consultations",
      "select id from public.consultations where user_id is not null",
      "select count(*) from public.consultations group by user_id",
      "select c.id from consultations c join public.consultations o on o.id = c.id",
      "select id from public.consultations order by user_id limit 1",
      "select exists (select from public.consultations where user_id = gen_random_uuid())",
    ])
      expect([text, await refusalOf(text)]).toEqual([text, "42501"]);
    expect(await refusalOf("select user_id from consultations")).toBe("42703");
  });

  test("is refused by every table there is", async () => {
    const all = await tables();
    expect(all.length).toBeGreaterThan(20);
    for (const { schema, name } of all) {
      const table = `"${schema}"."${name}"`;
      for (const text of [
        `select * from ${table} limit 1`,
        `select count(*) from ${table}`,
        `insert into ${table} default values`,
        `delete from ${table}`,
        `truncate ${table}`,
        `do $$ begin lock table ${table} in access share mode; end $$`,
        `copy ${table} to stdout`,
      ])
        expect([text, await refusalOf(text)]).toEqual([text, "42501"]);
    }
  });

  test("is refused column by column too", async () => {
    const columns = await app.sql<{ name: string; of: string }>(
      "select column_name as name, table_name as of from information_schema.columns join information_schema.tables using (table_schema, table_name) where table_schema = 'public' and table_type = 'BASE TABLE'",
    );
    for (const { name, of } of columns) {
      const text = `select "${name}" from public."${of}" limit 1`;
      expect([text, await refusalOf(text)]).toEqual([text, "42501"]);
    }
  });

  test("changes nothing: inserts, updates and deletes are refused, through tables and views", async () => {
    const id = await ask(app, await app.person());
    for (const view of VIEWS) {
      const column = view === "community_numbers" ? "answers" : "id";
      for (const text of [
        `insert into visible.${view} (${column}) select ${column} from visible.${view}`,
        `update visible.${view} set ${column} = ${column}`,
        `delete from visible.${view}`,
        `truncate visible.${view}`,
        `drop view visible.${view}`,
      ]) {
        // 55000: PostgreSQL says first that a view of several tables cannot be written to; 42809: that it is no table.
        expect(["42501", "55000", "42809"]).toContain(await refusalOf(text));
      }
    }
    for (const text of [
      "update public.consultations set upvotes = 99",
      `update public.consultations set user_id = null where id = '${id}'`,
      "update public.psychologist_profiles set gold_until = 'infinity'",
      "create table visible.own (id integer)",
      "create table public.own (id integer)",
      "create function visible.own() returns integer language sql as 'select 1'",
      "alter view visible.consultations owner to divan_public",
      "grant select on public.consultations to divan_public",
    ])
      expect([text, await refusalOf(text)]).toEqual([text, "42501"]);
    expect(await app.sql("select upvotes, user_id is null as orphan from consultations where id = $1", [id])).toEqual([
      { upvotes: 0, orphan: false },
    ]);
  });

  test("takes nothing from the statistics of tables, nor from what other connections run", async () => {
    await app.sql("analyze");
    expect(await app.sql("select from pg_stats where schemaname = 'public' limit 1")).toHaveLength(1);
    expect(await publicly("select tablename, attname from pg_stats where schemaname = 'public'")).toEqual([]);
    const texts = "select string_agg(query, ' ') as texts from pg_stat_activity where pid <> pg_backend_pid()";
    const client = openClient({ connectionString: app.databaseUrl });
    await client.connect();
    try {
      await client.query("select pg_advisory_lock(1)");
      const slow = databases.pool.query("select pg_advisory_lock(1), 'a-secret-in-a-query'");
      await untilBlocked(app, 1);
      expect((await app.sql<{ texts: string }>(texts))[0]!.texts).toContain("a-secret-in-a-query");
      expect((await publicly(texts))[0]!.texts).not.toContain("a-secret-in-a-query");
      await client.query("select pg_advisory_unlock(1)");
      await slow;
      await databases.pool.query("select pg_advisory_unlock_all()");
    } finally {
      await client.end();
    }
  });

  test("stays what it is after a reset", async () => {
    expect(await refusalOf("reset role; select user_id from public.consultations")).toBe("42501");
    expect(await refusalOf("reset all; select user_id from public.consultations")).toBe("42501");
  });
});

describe("the views", () => {
  let author: Person;
  let id: string;
  beforeAll(async () => {
    author = await app.person({ name: "Nombre Canario", email: "correo-canario@example.com" });
    await app.sql("update profiles set avatar_url = '/retrato-canario.webp' where id = $1", [author.id]);
    const psychologist = await app.person({ type: "psychologist" });
    id = await ask(app, author, { is_anonymous: true, author_name: "Apodo Canario" });
    const answer = await app.call("POST", `/consultations/${id}/answers`, { content: "Una respuesta" }, psychologist);
    await app.call("POST", `/answers/${answer.body.id}/replies`, { content: "Gracias" }, author);
    await app.call("PUT", `/answers/${answer.body.id}/vote`, { vote: "up" }, author);
    await app.call("PUT", `/consultations/${id}/vote`, { vote: "up" }, author);
    await app.sql(
      "insert into psychologist_reviews (psychologist_id, user_id, rating, comment) values ($1, $2, 5, 'Muy bien')",
      [psychologist.id, author.id],
    );
    await app.sql("insert into deleted_items (id, kind, deleted_at) values (gen_random_uuid(), 'consultation', now())");
  });

  test("show nothing of an anonymous author, in no column", async () => {
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

  test("show the name that a person chose to show", async () => {
    const open = await app.person({ name: "Con Nombre" });
    const shown = await ask(app, open, { is_anonymous: false });
    expect(await publicly(`select author_label from consultations where id = '${shown}'`)).toEqual([
      { author_label: "Con Nombre" },
    ]);
  });

  test("have no column that leads to a person but psychologists", async () => {
    const columns = await app.sql<{ column: string }>(
      `select table_name || '.' || column_name as column from information_schema.columns where table_schema = 'visible'
       and column_name ~ '(user|author|profile|account|email|mail|person|_id$)' order by 1`,
    );
    expect(columns.map(({ column }) => column)).toEqual([
      "answers.consultation_id",
      "answers.psychologist_id",
      "consultations.author_label",
      "replies.response_id",
      "reviews.author_label",
      "reviews.psychologist_id",
    ]);
  });
});

describe("what divan_public was given", () => {
  test("is reading the views, and nothing else", async () => {
    const granted = await app.sql<{ granted: string }>(
      `select table_schema || '.' || table_name || ': ' || privilege_type as granted from information_schema.role_table_grants
       where grantee in ('divan_public', 'PUBLIC') and table_schema not in ('pg_catalog', 'information_schema') order by 1`,
    );
    expect(granted.map((row) => row.granted)).toEqual(VIEWS.map((view) => `visible.${view}: SELECT`));
    const columns = await app.sql(
      `select table_name, column_name, privilege_type from information_schema.column_privileges
       where grantee in ('divan_public', 'PUBLIC') and table_schema not in ('pg_catalog', 'information_schema', 'visible')`,
    );
    expect(columns).toEqual([]);
  });

  test("amounts to no more through roles it belongs to", async () => {
    const effective = await app.sql<{ may: string }>(
      `select nspname || '.' || relname || ': ' || privilege as may
       from pg_class join pg_namespace n on n.oid = relnamespace,
         unnest(array['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) privilege
       where relkind in ('r', 'p', 'v', 'm', 'f') and nspname !~ '^(pg_|information_schema)'
         and has_table_privilege('divan_public', pg_class.oid, privilege) order by 1`,
    );
    expect(effective.map((row) => row.may)).toEqual(VIEWS.map((view) => `visible.${view}: SELECT`));
    expect(await app.sql("select from pg_auth_members where member = 'divan_public'::regrole")).toEqual([]);
  });

  test("does not let it sign in, make roles or databases, or create anything in a schema", async () => {
    expect(
      await app.sql(
        "select rolsuper, rolcanlogin, rolcreaterole, rolcreatedb, rolreplication, rolbypassrls from pg_roles where rolname = 'divan_public'",
      ),
    ).toEqual([
      {
        rolsuper: false,
        rolcanlogin: false,
        rolcreaterole: false,
        rolcreatedb: false,
        rolreplication: false,
        rolbypassrls: false,
      },
    ]);
    expect(
      await app.sql(
        "select nspname from pg_namespace where nspname !~ '^pg_' and has_schema_privilege('divan_public', oid, 'create')",
      ),
    ).toEqual([]);
  });
});

describe("types", () => {
  // Never run: the compiler is the judge, and a line that compiles where an error is expected fails the check.
  const neverRun = (db: Db, publicDb: PublicDb, tx: Tx) => [
    () => publicDb.selectFrom("consultations").select(["id", "author_label"]),
    () => db.selectFrom("consultations").select("user_id"),
    () => lockConsultation(tx, "id"),
    // @ts-expect-error the public handle does not know who wrote a consultation
    () => publicDb.selectFrom("consultations").select("user_id"),
    // @ts-expect-error nor can it be filtered by
    () => publicDb.selectFrom("consultations").where("user_id", "=", "id"),
    // @ts-expect-error nor the display name behind the label
    () => publicDb.selectFrom("consultations").select("author_name"),
    // @ts-expect-error nor who wrote a reply
    () => publicDb.selectFrom("replies").select("user_id"),
    // @ts-expect-error nor who wrote a review
    () => publicDb.selectFrom("reviews").select("user_id"),
    // @ts-expect-error nor an address
    () => publicDb.selectFrom("psychologists").select("email"),
    // @ts-expect-error it has no table of people
    () => publicDb.selectFrom("profiles"),
    // @ts-expect-error and none of votes
    () => publicDb.selectFrom("consultation_votes"),
    // @ts-expect-error a lock demands a transaction
    () => lockConsultation(db, "id"),
    // @ts-expect-error so does what is counted again afterwards
    () => putVote(db, "id", "id", "up"),
    // @ts-expect-error the public handle is no private one
    (): Db => publicDb,
    // @ts-expect-error and the private handle is no public one
    (): PublicDb => db,
  ];

  test("keep the two handles and transactions apart (checked by the compiler)", () => {
    expect(neverRun).toBeTypeOf("function");
  });
});

describe("connections", () => {
  test("of both handles give up on what takes too long, and speak UTC", async () => {
    const settings =
      "select current_setting('statement_timeout') as statement, current_setting('lock_timeout') as lock, current_setting('idle_in_transaction_session_timeout') as idle, current_setting('timezone') as zone";
    const expected = { statement: "10s", lock: "5s", idle: "15s", zone: "UTC" };
    expect(await publicly(settings)).toEqual([expected]);
    expect((await databases.pool.query(settings)).rows).toEqual([expected]);
  });

  test("that are lost while idle are told, and the next question is answered", async () => {
    await publicly("select 1");
    await databases.pool.query("select 1");
    lost.length = 0;
    await app.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('divan', 'divan-public') and state = 'idle'",
    );
    // One of each handle at least.
    await expect.poll(() => lost.length).toBeGreaterThan(1);
    expect(await publicly("select 1 as one")).toEqual([{ one: 1 }]);
    expect((await databases.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect((await app.call("GET", "/consultations")).status).toBe(200);
  });
});

describe("a connection that is lost while it is in use", () => {
  const terminate = (pid: number) => app.sql("select pg_terminate_backend($1)", [pid]);
  const ended = (client: pg.ClientBase) => new Promise<void>((done) => client.once("end", done));

  test.each(["divan", "divan-public"])("rejects what comes next on it and nothing else: %s", async (name) => {
    const pool = openPool(app.databaseUrl, name, 1, (error) => lost.push(error), {});
    const client = await pool.connect();
    lost.length = 0;
    const gone = ended(client);
    const { rows } = await client.query("select pg_backend_pid() as pid");
    await terminate(rows[0].pid);
    await gone;
    expect(lost.length).toBeGreaterThan(0);
    expect(isTransient(await client.query("select 1").catch((error: unknown) => error))).toBe(true);
    client.release();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test("in the middle of a transaction rolls it back, and says that trying again may help", async () => {
    const person = await app.person();
    const change = databases.db.transaction().execute(async (tx) => {
      await tx.updateTable("profiles").set({ full_name: "Otro Nombre" }).where("id", "=", person.id).execute();
      const { rows } = await tx.executeQuery<{ pid: number }>(CompiledQuery.raw("select pg_backend_pid() as pid"));
      lost.length = 0;
      await terminate(rows[0]!.pid);
      await expect.poll(() => lost.length).toBeGreaterThan(0);
      await tx.updateTable("profiles").set({ full_name: "Tercer Nombre" }).where("id", "=", person.id).execute();
    });
    expect(isTransient(await change.catch((error: unknown) => error))).toBe(true);
    expect(await app.sql("select full_name from profiles where id = $1", [person.id])).toEqual([
      { full_name: person.full_name },
    ]);
  });

  test("and belongs to no pool is no end of the process either", async () => {
    const client = openClient({ connectionString: app.databaseUrl }, (error) => lost.push(error));
    await client.connect();
    lost.length = 0;
    const gone = ended(client);
    await terminate((await client.query("select pg_backend_pid() as pid")).rows[0].pid);
    await gone;
    expect(lost.length).toBeGreaterThan(0);
    const refused = await client.query("select 1").catch((error: unknown) => error);
    expect((refused as Error).message).toBe("Client has encountered a connection error and is not queryable");
    expect(isTransient(refused)).toBe(true);
    await client.end();
  });

  test("and waits for jobs is made again, hears of the next one, and looks for what came meanwhile", async () => {
    const jobs = openJobDatabase(app.databaseUrl, 1, (error) => lost.push(error));
    const heard: string[] = [];
    let connected = 0;
    const listening = await jobs.listen(
      "probe",
      (payload) => heard.push(payload),
      () => connected++,
    );
    expect(connected).toBe(1);
    lost.length = 0;
    for (let round = 2; round <= 3; round++) {
      await app.sql(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen \"probe\"'",
      );
      await expect.poll(() => connected).toBe(round);
      expect(lost.length).toBe(round - 1);
      await app.sql("select pg_notify('probe', $1)", [`round ${round}`]);
      await expect.poll(() => heard.at(-1)).toBe(`round ${round}`);
    }
    await listening.close();
    await jobs.close();
    expect(await app.sql("select from pg_stat_activity where query = 'listen \"probe\"'")).toEqual([]);
  });
});

test("waiting for jobs begins later where the database was away at the start", async () => {
  const away = new URL(app.databaseUrl);
  away.pathname = "/divan_not_yet_there";
  const jobs = openJobDatabase(away.href, 1, (error) => lost.push(error));
  lost.length = 0;
  let connected = 0;
  const listening = await jobs.listen(
    "probe",
    () => {},
    () => connected++,
  );
  expect(lost.length).toBe(1);
  try {
    await app.sql("create database divan_not_yet_there");
    await expect.poll(() => connected).toBe(1);
  } finally {
    await listening.close();
    await jobs.close();
    await app.sql("drop database if exists divan_not_yet_there with (force)");
  }
});

describe("errors of the database", () => {
  test("leave no address, no words and no person in the embedded database's log", async ({ skip }) => {
    const log = async () =>
      (await app.sql<{ text: string | null }>("select pg_read_file('server.log', true) as text"))[0]!.text;
    if ((await log()) === null) skip("this database is not the embedded one");
    const person = await app.person();
    const words = `Palabras de nadie ${person.id.toUpperCase()}`;
    const refused = [
      ["insert into profiles (full_name, email, user_type) values ('Otra', $1, 'user')", [person.email]],
      [`insert into profiles (full_name, email, user_type) values ('Otra', '${person.email}', 'user')`, []],
      [
        "insert into consultations (title, content, country, is_anonymous, author_name, user_id) values ($1, $1, 'Chile', true, 'Rosa', $2)",
        [words, person.id],
      ],
      ["insert into consultation_replies (response_id, user_id, content) values ($1, $1, $2)", [person.id, words]],
    ] as const;
    for (const [text, values] of refused)
      expect(
        violatedConstraint(await databases.pool.query(text, [...values]).catch((error: unknown) => error)),
      ).not.toBeNull();
    const written = (await log())!;
    // What is looked for is there: the errors themselves are recorded.
    expect(written).toContain('violates check constraint "consultations_anonymous_has_no_name"');
    for (const secret of [person.email, person.id, words, "Rosa"]) expect(written).not.toContain(secret);
  });

  test("name the constraint that was in the way", async () => {
    const person = await app.person();
    const again = databases.pool.query(
      "insert into profiles (full_name, email, user_type) values ('Otra', $1, 'user')",
      [person.email.toUpperCase()],
    );
    expect(violatedConstraint(await again.catch((error: unknown) => error))).toBe("profiles_email_key");
    expect(violatedConstraint(await databases.pool.query("select 1 / 0").catch((error: unknown) => error))).toBeNull();
    expect(violatedConstraint(new Error("something else"))).toBeNull();
  });

  test.each([
    ["08006", true],
    ["53100", true],
    ["53300", true],
    ["57P01", true],
    ["57014", true],
    ["55P03", true],
    ["40001", true],
    ["40P01", true],
    ["57P02", true],
    ["57P03", true],
    ["25006", true],
    ["ECONNREFUSED", true],
    ["EHOSTUNREACH", true],
    ["EMFILE", true],
    ["ECONNRESET", true],
    ["23505", false],
    ["42501", false],
    ["42P01", false],
    ["22007", false],
    ["ENOENT", false],
  ])("%s is worth another try: %s", (code, transient) => {
    expect(isTransient(Object.assign(new Error("x"), { code }))).toBe(transient);
  });

  test.each([
    "Client has encountered a connection error and is not queryable",
    "Client was closed and is not queryable",
    "Connection terminated",
    "Connection terminated due to connection timeout",
    "timeout expired",
    "Query read timeout",
    "Cannot use a pool after calling end on the pool",
    "Received unexpected commandComplete message from backend.",
  ])("«%s» is worth another try", (message) => {
    expect(isTransient(new Error(message))).toBe(true);
    expect(isTransient(new Error(`x: ${message}`))).toBe(false);
  });

  test("a pool that is exhausted is worth another try, any other error without a code is not", () => {
    expect(isTransient(new Error("timeout exceeded when trying to connect"))).toBe(true);
    expect(isTransient(new Error("Connection terminated unexpectedly"))).toBe(true);
    expect(isTransient(new Error("boom"))).toBe(false);
    expect(isTransient({})).toBe(false);
  });
});

describe("two transactions that wait for each other", () => {
  /** Two that lock the same two things in different orders, at the same moment the first time. */
  const meeting = (run: (transaction: () => Promise<void>) => Promise<void>) => {
    let arrived = 0;
    let both = () => {};
    const bothArrived = new Promise<void>((done) => {
      both = done;
    });
    const lockInOrder = (...things: number[]) =>
      run(() =>
        databases.db.transaction().execute(async (tx) => {
          for (const thing of things) {
            await tx.executeQuery(CompiledQuery.raw("select pg_advisory_xact_lock($1, 0)", [thing]));
            if (++arrived === 2) both();
            await bothArrived;
          }
        }),
      );
    return Promise.allSettled([lockInOrder(4101, 4102), lockInOrder(4102, 4101)]);
  };

  test("are ended one of them by the database", async () => {
    const ends = await meeting((transaction) => transaction());
    expect(ends.map((end) => (end.status === "rejected" ? end.reason.code : end.status)).toSorted()).toEqual([
      "40P01",
      "fulfilled",
    ]);
  });

  test("both come to their end when the one that was ended is run again", async () => {
    expect((await meeting(retryDeadlocks)).map(({ status }) => status)).toEqual(["fulfilled", "fulfilled"]);
  });

  test("another fault is told at once", async () => {
    let runs = 0;
    const faulty = retryDeadlocks(async () => {
      runs++;
      await databases.pool.query("select 1 / 0");
    });
    await expect(faulty).rejects.toThrow("division by zero");
    expect(runs).toBe(1);
  });
});
