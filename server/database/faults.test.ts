import { CompiledQuery } from "kysely";
import type pg from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import { startForwarder } from "#test/forwarder.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { whileConnectionsAreRefused } from "#test/refused-connections.ts";
import { testDatabases } from "#test/test-databases.ts";
import { isTransient } from "./faults.ts";
import { type Db, openClient, openDatabases, openPool, retryDeadlocks, violatedConstraint } from "./handles.ts";

const { app, databases, lost, publicly } = testDatabases();

const failureOf = (work: Promise<unknown>) => work.catch((error: unknown) => error);

describe("connections", () => {
  test("use timeouts and UTC in both handles", async () => {
    const names = "{statement_timeout,lock_timeout,idle_in_transaction_session_timeout,timezone}";
    const settings = `select current_setting(name) as value from unnest('${names}'::text[]) name`;
    const expected = ["3500ms", "3s", "8s", "UTC"].map((value) => ({ value }));
    expect(await publicly(settings)).toEqual(expected);
    expect((await databases.pool.query(settings)).rows).toEqual(expected);
  });

  test("report a loss while idle; the next query succeeds", async () => {
    await publicly("select 1");
    await databases.pool.query("select 1");
    lost.length = 0;
    await app.sql(
      "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name in ('divan', 'divan-public') and state = 'idle'",
    );
    // At least one of each handle.
    await expect.poll(() => lost.length).toBeGreaterThan(1);
    expect(await publicly("select 1 as one")).toEqual([{ one: 1 }]);
    expect((await databases.pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    expect((await app.call("GET", "/consultations")).status).toBe(200);
  });
});

describe("silent connection", () => {
  test.runIf(FULL_RUN)(
    "fails within 5 s, also in a transaction, then all unused connections are replaced",
    async () => {
      const forwarder = await startForwarder(app.databaseUrl);
      const silenced = openDatabases(forwarder.url, (error) => lost.push(error), { private: 3, public: 3 });
      onTestFinished(async () => {
        await silenced.close();
        await forwarder.close();
      });
      const one = async (db: Pick<Db, "executeQuery">) => {
        const query = CompiledQuery.raw("select pg_backend_pid() as pid from pg_sleep(0.1)");
        return (await db.executeQuery<{ pid: number }>(query)).rows[0]!.pid;
      };
      const six = () =>
        Promise.all([silenced.db, silenced.publicDb as unknown as Db].flatMap((db) => [one(db), one(db), one(db)]));
      const pids = await six();
      const begun = Promise.withResolvers<void>();
      const transaction = silenced.db.transaction().execute(async (tx) => {
        await one(tx);
        begun.resolve();
        await new Promise((go) => setTimeout(go, 200));
        await one(tx);
      });
      await begun.promise;
      forwarder.fallSilent();
      const from = performance.now();
      const failures = await Promise.all([transaction, one(silenced.db)].map((query) => failureOf(query)));
      expect(performance.now() - from).toBeLessThan(5_000);
      expect(failures.map(isTransient)).toEqual([true, true]);
      forwarder.speak();
      expect((await six()).filter((pid) => pids.includes(pid))).toEqual([]);
    },
  );
});

describe("connection that is lost while in use", () => {
  const terminate = (pid: number) => app.sql("select pg_terminate_backend($1)", [pid]);
  const ended = (client: pg.ClientBase) => new Promise<void>((done) => client.once("end", done));

  test("rejects only the next query on this connection", async () => {
    const pool = openPool(app.databaseUrl, "divan", 1, (error) => lost.push(error), {});
    const client = await pool.connect();
    lost.length = 0;
    const gone = ended(client);
    const { rows } = await client.query("select pg_backend_pid() as pid");
    await terminate(rows[0].pid);
    await gone;
    expect(lost.length).toBeGreaterThan(0);
    expect(isTransient(await failureOf(client.query("select 1")))).toBe(true);
    client.release();
    expect((await pool.query("select 1 as one")).rows).toEqual([{ one: 1 }]);
    await pool.end();
  });

  test("rolls its transaction back with an error that a retry may solve", async () => {
    const person = await app.person();
    const change = databases.db.transaction().execute(async (tx) => {
      await tx.updateTable("profiles").set({ full_name: "Otro Nombre" }).where("id", "=", person.id).execute();
      const { rows } = await tx.executeQuery<{ pid: number }>(CompiledQuery.raw("select pg_backend_pid() as pid"));
      lost.length = 0;
      await terminate(rows[0]!.pid);
      await expect.poll(() => lost.length).toBeGreaterThan(0);
      await tx.updateTable("profiles").set({ full_name: "Tercer Nombre" }).where("id", "=", person.id).execute();
    });
    expect(isTransient(await failureOf(change))).toBe(true);
    expect(await app.sql("select full_name from profiles where id = $1", [person.id])).toEqual([
      { full_name: person.full_name },
    ]);
  });

  test("ends no process if it belongs to no pool", async () => {
    const client = openClient({ connectionString: app.databaseUrl });
    await client.connect();
    const gone = ended(client);
    await terminate((await client.query("select pg_backend_pid() as pid")).rows[0].pid);
    await gone;
    const refused = await failureOf(client.query("select 1"));
    expect((refused as Error).message).toBe("Client has encountered a connection error and is not queryable");
    expect(isTransient(refused)).toBe(true);
    await client.end();
  });
});

describe("database errors", () => {
  test("leave no email, text or id in the log of the embedded database", async ({ skip }) => {
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
      expect(violatedConstraint(await failureOf(databases.pool.query(text, [...values])))).not.toBeNull();
    const written = (await log())!;
    // The log contains the errors themselves.
    expect(written).toContain('violates check constraint "consultations_anonymous_has_no_name"');
    for (const secret of [person.email, person.id, words, "Rosa"]) expect(written).not.toContain(secret);
  });

  test("treats an unreachable or refusing database as transient", async () => {
    const changes: Partial<URL>[] = [
      { hostname: "no-such-host.invalid" },
      { port: "1" },
      { pathname: "/divan_missing" },
      { username: "divan_nobody" },
      { search: "?host=/no/such/socket" },
    ];
    for (const change of changes) {
      const pool = openPool(Object.assign(new URL(app.databaseUrl), change).href, "refused", 1, () => {});
      const error = await failureOf(pool.query("select 1")).finally(() => pool.end());
      expect([String(error), isTransient(error)]).toEqual([String(error), true]);
    }
  });
});

test("a database that refuses connections gets 503 with a link to the help lines, and at most two log lines a second about one cause", async () => {
  const person = await app.person();
  app.log.length = 0;
  const responses: { path: string; status: number; text: string }[] = [];
  await whileConnectionsAreRefused(app, "divan%", async (end) => {
    await end();
    const until = Date.now() + 1_200;
    const reading = async (path: string) => {
      while (Date.now() < until) responses.push({ path, ...(await app.page(path, person)) });
    };
    await Promise.all(["/", "/perfil", "/api/consultations", "/api/session"].map(reading));
    for (const path of ["/ayuda", "/ayuda.data", "/sin-conexion", "/api/help-lines?country=Chile"])
      expect([path, (await app.page(path, person)).status]).toEqual([path, 200]);
    expect((await app.page("/healthz")).status).toBe(503);
  });
  const isKind = (text: string) => text.startsWith('{"code":"unavailable"') || /lang="es".*href="\/ayuda"/s.test(text);
  expect(responses.filter(({ status, text }) => status !== 503 || !isKind(text)).slice(0, 2)).toEqual([]);
  const lines = app.log.map((line) => JSON.parse(line) as { time: number; reason?: string });
  const times = lines.filter(({ reason }) => reason?.includes("not currently accepting")).map(({ time }) => time);
  expect(times.length).toBeGreaterThan(1);
  // At least half a second apart, as far as clocks agree.
  expect(times.filter((time, at) => at > 0 && time - times[at - 1]! < 490)).toEqual([]);
  await expect.poll(async () => (await app.page("/healthz")).status).toBe(200);
});

test("retryDeadlocks completes both of two transactions in a deadlock", async () => {
  // Both lock the same two keys in different orders; they meet only in the first attempt.
  let arrived = 0;
  const both = Promise.withResolvers<void>();
  const lockInOrder = (...things: number[]) =>
    retryDeadlocks(() =>
      databases.db.transaction().execute(async (tx) => {
        for (const thing of things) {
          await tx.executeQuery(CompiledQuery.raw("select pg_advisory_xact_lock($1, 0)", [thing]));
          if (++arrived === 2) both.resolve();
          await both.promise;
        }
      }),
    );
  await Promise.all([lockInOrder(4101, 4102), lockInOrder(4102, 4101)]);
  expect(arrived).toBeGreaterThan(4);
});
