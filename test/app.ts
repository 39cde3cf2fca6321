import { randomUUID } from "node:crypto";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import pg from "pg";
import { pino } from "pino";
import { inject } from "vitest";
import type * as AppModule from "#server/app.ts";
import { type Config, readConfig } from "#server/config.ts";
import type { Context, ContextOverrides } from "#server/context.ts";
import { closeServer, httpServer, listen } from "#server/listen.ts";
import { poolerEnvironment, setPoolerSettings } from "./database-cluster.ts";
import { waitUntilFound } from "./eventually.ts";
import { connected } from "./load.ts";
import { insertUser, type PersonOptions, type TestUser } from "./people.ts";

export type { PersonOptions, TestUser } from "./people.ts";

/** Disables rate limits, because tests send requests quickly. Tests of the limits use the real ones. */
const NO_LIMITS: Context["rateLimits"] = {
  check: async () => {},
  spend: async () => {},
  trySpend: async () => null,
  reset: async () => {},
};

const original = pg.Client.prototype.query;
const listeners = new Set<(client: pg.Client, text: string) => void>();
/** Intercepts every statement of this process, because the app and the tests share one driver. */
pg.Client.prototype.query = function (this: pg.Client, ...given: unknown[]) {
  const [first] = given as [string | { text?: string }];
  for (const hear of listeners) hear(this, typeof first === "string" ? first : (first.text ?? ""));
  return Reflect.apply(original, this, given);
} as typeof original;

export type Answer<Body = Record<string, never>> = { status: number; headers: Headers; body: Body; text: string };
export type TestApp = Awaited<ReturnType<typeof openTestApp>>;

export type TestAppOptions = {
  environment?: Record<string, string>;
  overrides?: ContextOverrides;
  workers?: boolean;
  limits?: boolean;
  /** Node whose database this one shares. Close the new node first. */
  beside?: { databaseUrl: string };
  /** True to serve visitors from the page cache. Other tests render a page for each request. */
  pageCache?: boolean;
};

const ADMIN_EMAIL = "admin@divan.example";
/** Opens the built application on a fresh copy of the migrated database. */
export async function openTestApp({
  environment = {},
  overrides = {},
  workers = false,
  limits = false,
  beside,
  pageCache = false,
}: TestAppOptions = {}) {
  const postgres = inject("postgres");
  const name = beside
    ? new URL(beside.databaseUrl).pathname.slice(1)
    : `${postgres.template}_${randomUUID().replaceAll("-", "")}`;
  const target = new URL(postgres.admin);
  target.pathname = `/${name}`;
  const databaseUrl = target.href;
  const pooler = inject("pooler");
  if (!beside)
    await connected(postgres.admin, async (admin) => {
      await admin.query("select pg_advisory_lock(4801, 9)"); // PostgreSQL copies a template for only one client at a time
      // Exists until the end of the run: ext4 takes five times as long to create files after others were deleted.
      await admin.query(`create database ${name} template ${postgres.template} strategy file_copy`);
      if (pooler) await setPoolerSettings(admin, target.username, name);
    });

  const module = (await import(
    pathToFileURL(join(import.meta.dirname, "..", "build", "server", "index.js")).href
  )) as typeof AppModule;
  let app: AppModule.App | undefined;
  const server = httpServer(
    (request, peer) => app!.fetch(request, peer),
    (request, response, next) => app!.before(request, response, next),
  );
  const port = await listen(server, 0, "127.0.0.1");
  const url = `http://127.0.0.1:${port}`;
  const config: Config = readConfig({
    PUBLIC_URL: url,
    DATA_DIR: join(import.meta.dirname, "..", "node_modules", ".cache", "divan-test"),
    APP_SECRET: "a secret that only the tests know, long enough",
    DEMO: "on",
    ADMIN_EMAIL,
    DATABASE_URL: databaseUrl,
    ...(pooler && poolerEnvironment(databaseUrl, pooler.port, pooler.readerPassword)),
    ...environment,
  });
  const log: string[] = [];
  let fixedNow: Date | null = null;
  app = await module.openApp({
    config,
    databaseUrl: config.databaseUrl!,
    workers,
    pageCache,
    clientFolder: join(import.meta.dirname, "..", "build", "client"),
    overrides: {
      now: () => fixedNow ?? new Date(),
      log: pino({ base: null, level: "debug" }, { write: (line: string) => void log.push(line) }),
      ...(limits ? {} : { rateLimits: NO_LIMITS }),
      ...overrides,
    },
  });
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 4 });

  const read = async (response: Response): Promise<Answer<never>> => {
    const text = await response.text();
    const json = response.headers.get("content-type")?.includes("json");
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: (json && text ? JSON.parse(text) : null) as never,
    };
  };
  // Compression takes a fifth of a request's time here, so only tests of compression request it.
  const headersFor = (as: TestUser | null | undefined, more: Record<string, string> = {}) => ({
    origin: url,
    "accept-encoding": "identity",
    ...(as ? { cookie: as.cookie } : {}),
    ...more,
  });

  const sql = async <Row extends Record<string, unknown>>(text: string, values?: unknown[]): Promise<Row[]> =>
    (await pool.query(text, values)).rows;
  const person = (options?: PersonOptions) => insertUser(sql, options, fixedNow ?? new Date());
  /** Extends a user's session, for tests that move the clock by weeks. */
  const staySignedIn = ({ id }: TestUser) =>
    sql(
      "update sessions set created_at = '2100-01-01', seen_at = '2100-01-01', expires_at = '2200-01-01' where account_id = $1",
      [id],
    );

  return {
    url,
    databaseUrl,
    context: app.context,
    cache: app.cache,
    log,
    sql,
    /** Returns the statements of the application's own connections during an action, excluding jobs and tests. */
    async statementsDuring(work: () => Promise<unknown>) {
      const statements: string[] = [];
      const hear = (client: pg.Client, text: string) => {
        const { application_name } = (client as unknown as { connectionParameters: { application_name?: string } })
          .connectionParameters;
        if (client.database === name && /^divan(-public)?$/.test(application_name ?? "")) statements.push(text);
      };
      listeners.add(hear);
      try {
        await work();
      } finally {
        listeners.delete(hear);
      }
      return statements;
    },
    /** Sets the clock of the rules. Does not affect the database's clock. */
    setNow(now: Date | null) {
      fixedNow = now;
    },
    /** Stops the clock of the rules. */
    freeze(): Date {
      fixedNow = new Date();
      return fixedNow;
    },
    person,
    async admin() {
      const admin = await person({ email: ADMIN_EMAIL, name: "Administración" });
      await staySignedIn(admin);
      return admin;
    },
    staySignedIn,
    // biome-ignore lint/suspicious/noExplicitAny: the shape of an answer is what a test looks at
    async call<Body = any>(
      method: string,
      path: string,
      body?: unknown,
      as?: TestUser | null,
      headers?: Record<string, string>,
    ): Promise<Answer<Body>> {
      const response = await fetch(`${url}/api${path}`, {
        method,
        headers: { ...headersFor(as, headers), ...(body === undefined ? {} : { "content-type": "application/json" }) },
        body: body === undefined ? undefined : typeof body === "string" ? body : JSON.stringify(body),
      });
      return read(response);
    },
    /** Hands a request to the application without a connection. */
    handle: (request: Request) => app!.fetch(request, "127.0.0.1"),
    page: async (path: string, as?: TestUser | null, init?: RequestInit): Promise<Answer> => {
      const headers = { ...headersFor(as), ...(init?.headers as Record<string, string>) };
      return read(await fetch(url + path, { redirect: "manual", ...init, headers }));
    },
    /** Sends a form like a browser without JavaScript. Does not follow redirects. */
    form: async (
      path: string,
      fields: Record<string, string> | URLSearchParams,
      as?: TestUser | null,
      headers?: Record<string, string>,
    ): Promise<Answer> =>
      read(
        await fetch(url + path, {
          method: "POST",
          redirect: "manual",
          headers: { ...headersFor(as, headers), "content-type": "application/x-www-form-urlencoded" },
          body: new URLSearchParams(fields).toString(),
        }),
      ),
    async mailTo(address: string, subject: RegExp) {
      return waitUntilFound(async () => {
        const rows = await sql<{ subject: string; text: string }>(
          "select subject, text from demo_mails where recipient = $1 order by created_at desc",
          [address],
        );
        return rows.find((row) => subject.test(row.subject));
      }, `a mail to ${address} with a subject like ${subject}`);
    },
    async close(): Promise<void> {
      await closeServer(server);
      await app.close();
      await pool.end();
    },
  };
}
