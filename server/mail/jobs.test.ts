import { type ChildProcess, spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { request } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { SMTPServer } from "smtp-server";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { eventually } from "#test/eventually.ts";
import { psychologistVersion } from "#test/versions.ts";
import { housekeeping, sendMail } from "../background.ts";
import { MAILS_AT_ONCE } from "../config.ts";
import { MAIL_QUEUE, type MailJob, queueMail } from "./queues.ts";

const PASSWORD = "un caballo sin montura";
const freshAddress = () => `${randomUUID()}@correo.example`;
const registration = (email: string, full_name = "Rosa Luna Prado") => ({
  user_type: "user",
  full_name,
  email,
  password: PASSWORD,
  confirm_password: PASSWORD,
  adult_or_guardian: true,
  health_data: true,
  transfer_abroad: true,
});

type Delivered = { from: string; to: string[]; raw: string };

/** A real mail server that takes, refuses, or never answers. */
async function openMailServer() {
  const delivered: Delivered[] = [];
  const state = {
    mode: "take" as
      | "take"
      | "take one in two"
      | "refuse the recipient"
      | "refuse the mail"
      | "hang up"
      | "never answer",
    attempts: 0,
    /** Resolves when a mail was offered, whatever becomes of it. */
    offered: () =>
      new Promise<void>((go) => {
        const before = state.attempts;
        const look = setInterval(() => {
          if (state.attempts === before) return;
          clearInterval(look);
          go();
        }, 20);
      }),
  };
  const refusal = (message: string, responseCode: number) => Object.assign(new Error(message), { responseCode });
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["AUTH", "STARTTLS"],
    onRcptTo({ address }, session, done) {
      if (state.mode === "hang up") {
        state.attempts++;
        (server as unknown as { connections: Set<{ id: string; _socket: { destroy(): void } }> }).connections.forEach(
          (connection) => {
            if (connection.id === session.id) connection._socket.destroy();
          },
        );
      } else if (state.mode === "refuse the recipient") {
        state.attempts++;
        done(refusal(`<${address}>: mailbox full`, 452));
      } else done();
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on("data", (chunk: Buffer) => chunks.push(chunk));
      stream.on("end", () => {
        state.attempts++;
        if (state.mode === "never answer") return;
        if (state.mode === "take one in two" && state.attempts % 2) return;
        if (state.mode === "refuse the mail") return done(refusal("try later", 451));
        const { mailFrom, rcptTo } = session.envelope;
        delivered.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          raw: Buffer.concat(chunks).toString("utf8"),
        });
        done();
      });
    },
  });
  server.on("error", () => {}); // A client that was killed is no fault of the server.
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  return {
    url: `smtp://127.0.0.1:${(server.server.address() as AddressInfo).port}`,
    delivered,
    state,
    close: () => new Promise<void>((done) => server.close(done)),
  };
}

const headersOf = (raw: string) => raw.slice(0, raw.indexOf("\r\n\r\n"));
/** Words of a header that are not ASCII travel encoded. */
const decoded = (header: string) =>
  header
    .replace(/\?=\s+=\?/g, "?==?")
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_all, kind: string, word: string) =>
      /b/i.test(kind)
        ? Buffer.from(word, "base64").toString("utf8")
        : decodeURIComponent(word.replaceAll("_", " ").replaceAll("%", "%25").replaceAll("=", "%")),
    );
const headerOf = (raw: string, name: string) =>
  decoded(new RegExp(`^${name}: ((?:.|\\r\\n[ \\t])*)`, "im").exec(headersOf(raw))?.[1] ?? "").replace(/\r\n\s*/g, " ");

/** The parts of a multipart message by type, decoded. */
function partsOf(raw: string): Record<string, string> {
  const boundary = /boundary="([^"]+)"/.exec(headersOf(raw))![1]!;
  const parts: Record<string, string> = {};
  for (const part of raw.split(`--${boundary}`).slice(1, -1)) {
    const [head = "", ...body] = part.trimStart().split("\r\n\r\n");
    const text = body.join("\r\n\r\n");
    const encoding = /content-transfer-encoding: (\S+)/i.exec(head)?.[1]?.toLowerCase();
    parts[/content-type: ([^;\s]+)/i.exec(head)![1]!] =
      encoding === "base64"
        ? Buffer.from(text, "base64").toString("utf8")
        : encoding === "quoted-printable"
          ? Buffer.from(
              text
                .replace(/=\r\n/g, "")
                .replace(/=([0-9A-F]{2})/gi, (_all, code: string) => String.fromCharCode(Number.parseInt(code, 16))),
              "latin1",
            ).toString("utf8")
          : text;
  }
  return parts;
}

type Job = { id: string; state: string; retry_count: number; data: MailJob; output: unknown };
const jobs = (app: TestApp) =>
  app.sql<Job>(
    "select id, state::text, retry_count, data, output from pgboss.job where name = $1 order by created_on",
    [MAIL_QUEUE],
  );

let smtp: Awaited<ReturnType<typeof openMailServer>>;
beforeAll(async () => {
  smtp = await openMailServer();
});
afterAll(() => smtp.close());
beforeEach(() => {
  smtp.state.mode = "take";
  smtp.delivered.length = 0;
});

describe("a mail is queued in the transaction of what causes it", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await openTestApp();
  });
  afterAll(() => app.close());
  beforeEach(() => app.sql("delete from pgboss.job"));

  /** Lets every transaction that writes to a table fail at its very end, after the mail was queued. */
  async function failingCommits(table: string, work: () => Promise<void>) {
    await app.sql(`
      create function fail_late() returns trigger language plpgsql as $$ begin raise exception 'not today'; end $$;
      create constraint trigger fail_late after insert or update or delete on ${table}
        deferrable initially deferred for each row execute function fail_late();`);
    try {
      await work();
    } finally {
      await app.sql("drop function fail_late cascade");
    }
  }

  test("a registration that was rolled back leaves no job, one that was kept leaves one", async () => {
    const email = freshAddress();
    const register = () => app.call("POST", "/registrations", registration(email));
    await failingCommits("pending_registrations", async () => {
      expect(await register()).toMatchObject({ status: 500, body: { code: "unexpected" } });
    });
    expect(await app.sql("select from pending_registrations where email = $1", [email])).toEqual([]);
    expect(await jobs(app)).toEqual([]);
    expect((await register()).status).toBe(202);
    const [waiting] = await app.sql<{ id: string }>("select id from pending_registrations where email = $1", [email]);
    // It holds only an id: neither address nor token can be read in the queue.
    expect(await jobs(app)).toMatchObject([
      { state: "created", data: { kind: "confirm_registration", registration_id: waiting!.id } },
    ]);
  });

  test("a recovery that was rolled back leaves no job", async () => {
    const { email } = await app.person();
    await failingCommits("recovery_requests", async () => {
      expect((await app.call("POST", "/recoveries", { email })).status).toBe(500);
    });
    expect(await jobs(app)).toEqual([]);
  });

  test("an approval that was rolled back leaves no job and no record", async () => {
    const admin = await app.admin();
    const waiting = await app.person({ type: "psychologist", verified: false });
    const version = await psychologistVersion(app, admin, waiting.id);
    await failingCommits("psychologist_profiles", async () => {
      const path = `/admin/psychologists/${waiting.id}/verification`;
      expect((await app.call("PUT", path, { version }, admin)).status).toBe(500);
    });
    expect(await jobs(app)).toEqual([]);
    expect(await app.sql("select from audit_log where target_id = $1", [waiting.id])).toEqual([]);
  });

  test("a job whose subject is gone by then sends nothing and is no failure", async () => {
    const gone: MailJob[] = [
      { kind: "confirm_registration", registration_id: randomUUID() },
      { kind: "recover_password", recovery_id: randomUUID() },
      { kind: "password_changed", profile_id: randomUUID() },
      { kind: "psychologist_approved", psychologist_id: randomUUID(), decided_at: "2026-01-01T00:00:00.000Z" },
      { kind: "psychologist_rejected", psychologist_id: randomUUID(), reason: "x" },
    ];
    for (const job of gone) await sendMail(app.context, job);
    expect(await app.sql("select from kept_mails")).toEqual([]);
  });

  test("housekeeping removes what has run out and nothing else", async () => {
    const start = Date.now();
    const HOUR = 3_600_000;
    const tables = async () => {
      const count = async (table: string) => (await app.sql(`select from ${table}`)).length;
      return [await count("pending_registrations"), await count("recovery_requests"), await count("sessions")];
    };
    await app.sql("truncate pending_registrations, recovery_requests, sessions");
    try {
      const { email } = await app.person();
      await app.call("POST", "/registrations", registration(freshAddress()));
      await app.call("POST", "/recoveries", { email });
      app.setNow(new Date(start + HOUR - 5_000));
      await housekeeping(app.context);
      expect(await tables()).toEqual([1, 1, 1]);
      app.setNow(new Date(start + HOUR + 60_000));
      await housekeeping(app.context);
      expect(await tables()).toEqual([1, 0, 1]);
      app.setNow(new Date(start + 25 * HOUR));
      await housekeeping(app.context);
      expect(await tables()).toEqual([0, 0, 1]);
      app.setNow(new Date(start + 8 * 24 * HOUR));
      await housekeeping(app.context);
      expect(await tables()).toEqual([0, 0, 0]);
    } finally {
      app.setNow(null);
    }
  });
});

describe("over SMTP", () => {
  let app: TestApp;
  let admin: Person;
  beforeAll(async () => {
    app = await openTestApp({
      workers: true,
      environment: { SMTP_URL: smtp.url, MAIL_FROM: "hola@divan.example" },
    });
    admin = await app.admin();
  });
  afterAll(() => app.close());
  beforeEach(() => app.sql("delete from pgboss.job where name = $1", [MAIL_QUEUE]));

  const deliveredTo = (address: string) =>
    eventually(() => smtp.delivered.find(({ to }) => to.includes(address)), `a mail to ${address}`);
  const dueNow = () => app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);
  const undelivered = async () => (await app.call("GET", "/admin/mails", undefined, admin)).body;
  const jobIn = (state: string) =>
    eventually(async () => (await jobs(app)).find((job) => job.state === state), `a job in state ${state}`);

  test("a mail arrives at its one recipient as text and as HTML, and both say the same", async () => {
    const email = freshAddress();
    await app.call("POST", "/registrations", registration(email));
    const { raw, from, to } = await deliveredTo(email);
    expect({ from, to }).toEqual({ from: "hola@divan.example", to: [email] });
    expect(headerOf(raw, "Subject")).toBe("Confirma tu correo en Diván");
    expect(headerOf(raw, "From")).toBe("Diván <hola@divan.example>");
    expect(headerOf(raw, "To")).toBe(email);
    expect(headerOf(raw, "Auto-Submitted")).toBe("auto-generated");
    expect(headerOf(raw, "Content-Type")).toMatch(/^multipart\/alternative/);
    const parts = partsOf(raw);
    expect(Object.keys(parts)).toEqual(["text/plain", "text/html"]);
    const link = /http\S+\/auth\/confirmar\?token=[\w-]{43}/.exec(parts["text/plain"]!)![0];
    expect(new URL(link).origin).toBe(app.url);
    expect(parts["text/html"]).toContain(`href="${link}"`);
    for (const part of Object.values(parts)) {
      expect(part).toContain("Hola:");
      expect(part).toContain("24 horas");
    }
    // Nothing is fetched when the mail is opened.
    expect(parts["text/html"]).not.toMatch(/<(img|link|script|iframe)|url\(|src=/i);
    expect(await app.sql("select from kept_mails")).toEqual([]);
    expect(app.log.join("\n")).not.toContain(email);
  });

  test("no name adds a header or a recipient", async () => {
    const HOSTILE = [
      "Rosa\r\nBcc: otra@evil.example",
      "Rosa\r\n\r\nOtro cuerpo",
      "Rosa\nSubject: Otra cosa\nX-Evil: 1",
      'Rosa" <otra@evil.example>, "',
      "otra@evil.example, Rosa",
      "Rosa; otra@evil.example",
      "Rosa (otra@evil.example)",
      "=?utf-8?q?Rosa=0d=0aBcc:_otra@evil.example?=",
    ];
    const people: Person[] = [];
    for (const name of HOSTILE) {
      const person = await app.person();
      // As if the schema had let it through.
      await app.sql("update profiles set full_name = $2 where id = $1", [person.id, name]);
      people.push(person);
      await sendMail(app.context, { kind: "password_changed", profile_id: person.id });
    }
    expect(smtp.delivered).toHaveLength(HOSTILE.length);
    for (const [place, { to, raw }] of smtp.delivered.entries()) {
      expect(to).toEqual([people[place]!.email]);
      const names = [...headersOf(raw).matchAll(/^([\w-]+):/gm)].map(([, name]) => name!.toLowerCase());
      expect(names.toSorted()).toEqual([
        "auto-submitted",
        "content-type",
        "date",
        "from",
        "message-id",
        "mime-version",
        "subject",
        "to",
      ]);
      expect(headerOf(raw, "Subject")).toBe("Tu contraseña de Diván ha cambiado");
      expect(headerOf(raw, "Message-ID")).not.toContain(people[place]!.id);
    }
  });

  test("a server that refuses makes the mail wait, seen by the administrator, until it is taken", async () => {
    smtp.state.mode = "refuse the mail";
    const email = freshAddress();
    expect((await app.call("POST", "/registrations", registration(email))).status).toBe(202);
    const waiting = await jobIn("retry");
    expect(await undelivered()).toMatchObject([
      { id: waiting.id, kind: "confirm_registration", attempts: 1, gave_up: false },
    ]);
    expect((await undelivered())[0].last_error).toContain("451");
    const [{ seconds }] = (await app.sql<{ seconds: number }>(
      "select extract(epoch from start_after - now())::float as seconds from pgboss.job where id = $1",
      [waiting.id],
    )) as [{ seconds: number }];
    expect(seconds).toBeGreaterThan(20);
    expect(seconds).toBeLessThan(70);
    expect(smtp.delivered).toEqual([]);
    smtp.state.mode = "take";
    await dueNow();
    const { raw } = await deliveredTo(email);
    expect(partsOf(raw)["text/plain"]).toContain("/auth/confirmar?token=");
    await jobIn("completed");
    expect(await undelivered()).toEqual([]);
    expect(smtp.delivered).toHaveLength(1);
  });

  test("a refusal that quotes the recipient is recorded without the address", async () => {
    smtp.state.mode = "refuse the recipient";
    const { email } = await app.person();
    await app.call("POST", "/recoveries", { email });
    const waiting = await jobIn("retry");
    expect(JSON.stringify(waiting)).not.toContain(email);
    const [mail] = await undelivered();
    expect(mail).toMatchObject({ id: waiting.id, kind: "recover_password", attempts: 1 });
    expect(mail.last_error).toMatch(/452 <…>: mailbox full/);
    expect(app.log.join("\n")).not.toContain(email);
    smtp.state.mode = "take";
    expect((await app.call("POST", `/admin/mails/${mail.id}/retry`, { version: mail.version }, admin)).status).toBe(
      200,
    );
    await deliveredTo(email);
  });

  test.each(["refuse the mail", "refuse the recipient", "hang up"] as const)(
    "a server that decides to %s is an error for the queue to remember",
    async (mode) => {
      smtp.state.mode = mode;
      const person = await app.person();
      await expect(sendMail(app.context, { kind: "password_changed", profile_id: person.id })).rejects.toThrow(/./);
      expect(smtp.delivered).toEqual([]);
    },
  );
});

// Two processes start one after another, which a busy machine does slowly.
describe("a worker that is killed", { timeout: 120_000 }, () => {
  /** Another node of the same installation, in a process of its own. */
  function openNode(app: TestApp): ChildProcess {
    const root = join(import.meta.dirname, "..", "..");
    const program = `
      const { readConfig } = await import(${JSON.stringify(join(root, "server", "config.ts"))});
      const { openApp } = await import(${JSON.stringify(join(root, "build", "server", "index.js"))});
      const config = readConfig(process.env);
      await openApp({ config, databaseUrl: process.env.DATABASE_URL, workers: true, clientFolder: ${JSON.stringify(join(root, "build", "client"))} });
    `;
    return spawn(process.execPath, ["--input-type=module", "--eval", program], {
      cwd: root,
      stdio: ["ignore", "ignore", "inherit"],
      env: {
        PATH: process.env.PATH,
        NODE_ENV: "production",
        DEMO: "on",
        LOG_LEVEL: "silent",
        DATABASE_URL: app.databaseUrl,
        SMTP_URL: smtp.url,
        PUBLIC_URL: app.url,
        APP_SECRET: app.context.config.secret,
      },
    });
  }
  async function kill(node: ChildProcess) {
    if (node.exitCode !== null || node.signalCode !== null) return;
    node.kill("SIGKILL");
    await once(node, "exit");
  }

  test("while it sends does not lose the mail: another sends it", async () => {
    const app = await openTestApp();
    const nodes: ChildProcess[] = [];
    try {
      smtp.state.mode = "never answer";
      const email = freshAddress();
      const offered = smtp.state.offered();
      await app.call("POST", "/registrations", registration(email));
      nodes.push(openNode(app));
      await offered;
      await kill(nodes[0]!);
      expect(nodes[0]!.signalCode).toBe("SIGKILL");
      expect(await jobs(app)).toMatchObject([{ state: "active" }]);

      // Two minutes later the queue's supervision, which every node runs, notices.
      await app.sql("update pgboss.job set started_on = started_on - interval '3 minutes' where name = $1", [
        MAIL_QUEUE,
      ]);
      await app.sql("update pgboss.queue set monitor_on = null");
      await app.context.boss.supervise(MAIL_QUEUE);
      expect(await jobs(app)).toMatchObject([{ state: "retry" }]);
      const admin = await app.admin();
      expect((await app.call("GET", "/admin/mails", undefined, admin)).body).toMatchObject([{ gave_up: false }]);

      smtp.state.mode = "take";
      await app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);
      nodes.push(openNode(app));
      await eventually(() => smtp.delivered.find(({ to }) => to.includes(email)), "the mail");
      await eventually(async () => (await jobs(app)).find((job) => job.state === "completed"), "the job's end");
      expect(smtp.delivered).toHaveLength(1);
    } finally {
      for (const node of nodes) await kill(node);
      await app.close();
    }
  });

  test("amid many mails loses none, and what had been taken and settled by then does not leave again", async () => {
    const app = await openTestApp();
    const nodes: ChildProcess[] = [];
    try {
      smtp.state.mode = "take one in two";
      const people = await Promise.all(Array.from({ length: 40 }, () => app.person()));
      await app.context.db.transaction().execute(async (tx) => {
        for (const { id } of people)
          await queueMail(app.context.boss, tx, { kind: "password_changed", profile_id: id });
      });
      const before = smtp.state.attempts;
      nodes.push(openNode(app));
      // Every place is taken by a mail that is never answered, and some are done.
      const stuck = async () => {
        const states = (await jobs(app)).map(({ state }) => state);
        const active = states.filter((state) => state === "active").length;
        const completed = states.filter((state) => state === "completed").length;
        const offered = smtp.state.attempts - before;
        return completed > 0 && active > 0 && offered === active + completed ? { active, completed } : undefined;
      };
      const { active, completed } = await eventually(stuck, "mails that were taken beside mails that were not");
      await kill(nodes[0]!);
      const settled = (await jobs(app)).filter(({ state }) => state === "completed");
      expect(settled.length).toBeGreaterThanOrEqual(completed);
      const first = smtp.delivered.map(({ to }) => to[0]!);
      expect(active).toBeLessThanOrEqual(MAILS_AT_ONCE);

      await app.sql("update pgboss.job set started_on = started_on - interval '3 minutes' where name = $1", [
        MAIL_QUEUE,
      ]);
      await app.sql("update pgboss.queue set monitor_on = null");
      await app.context.boss.supervise(MAIL_QUEUE);
      smtp.state.mode = "take";
      await app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);
      nodes.push(openNode(app));
      await eventually(
        async () => ((await jobs(app)).every(({ state }) => state === "completed") ? true : undefined),
        "the end of all jobs",
      );
      const all = smtp.delivered.map(({ to }) => to[0]!);
      expect(new Set(all)).toEqual(new Set(people.map(({ email }) => email)));
      const twice = all.filter((to, place) => all.indexOf(to) !== place);
      const settledFor = settled.map(
        ({ data }) => people.find(({ id }) => id === (data as { profile_id: string }).profile_id)!.email,
      );
      expect(twice.filter((to) => settledFor.includes(to))).toEqual([]);
      expect(twice.length).toBeLessThanOrEqual(first.length - settled.length);
    } finally {
      for (const node of nodes) await kill(node);
      await app.close();
    }
  });
});

describe("the demo's mails", () => {
  /** Asks by loopback, as a program on this machine or a proxy beside us does. `fetch` would not let the host be chosen. */
  const ask = (app: TestApp, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((done, fail) => {
      const { port } = new URL(app.url);
      request({ host: "127.0.0.1", port, path, headers: { host: `localhost:${port}`, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => done({ status: response.statusCode!, text }));
      })
        .on("error", fail)
        .end();
    });

  test.each(["", "127.0.0.1"])(
    "are read on the machine itself, and never through a proxy (TRUSTED_PROXIES=%s)",
    async (proxies) => {
      const app = await openTestApp({ workers: true, environment: { TRUSTED_PROXIES: proxies } });
      try {
        const email = freshAddress();
        await app.call("POST", "/registrations", registration(email));
        const { text } = await app.mailTo(email, /Confirma tu correo/);
        const token = /token=([\w-]{43})/.exec(text)![1]!;
        const { port } = new URL(app.url);
        for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, "divan.localhost"]) {
          const list = await ask(app, "/api/demo/mails", { host });
          expect(list.status, host).toBe(200);
          expect(JSON.parse(list.text)).toMatchObject([{ to: email, subject: "Confirma tu correo en Diván" }]);
          expect((await ask(app, "/correo", { host })).text).toContain(token);
        }
        const passedOn: Record<string, string>[] = [
          ...["127.0.0.1", "::1", "203.0.113.5", "127.0.0.1, 203.0.113.5", "::ffff:10.0.0.1", "unknown", ""].map(
            (address) => ({ "x-forwarded-for": address }),
          ),
          { Forwarded: "for=127.0.0.1" },
          { "X-Forwarded-Host": "divan.example" },
          { "X-Forwarded-Proto": "https" },
          { "X-Forwarded": "for=127.0.0.1" },
          { "X-Real-IP": "127.0.0.1" },
          { Via: "1.1 proxy" },
          { "CF-Connecting-IP": "127.0.0.1" },
          { "True-Client-IP": "127.0.0.1" },
          { "X-Client-IP": "127.0.0.1" },
          { "X-Cluster-Client-IP": "127.0.0.1" },
          { "Fastly-Client-IP": "127.0.0.1" },
          { "Fly-Client-IP": "127.0.0.1" },
          { "X-Envoy-External-Address": "127.0.0.1" },
          { "X-Amzn-Trace-Id": "Root=1" },
          { "X-Original-URL": "/correo" },
          ...[
            "Forwarded-For",
            "Forwarded-For-IP",
            "X-Forward-For",
            "X-Originating-IP",
            "X-Client",
            "Proxy-Client-IP",
            "WL-Proxy-Client-IP",
            "HTTP-Client-IP",
            "X-ARR-ClientIP",
            "X-Sucuri-ClientIP",
            "Incap-Client-IP",
            "Akamai-Origin-Hop",
            "X-Akamai-Edgescape",
            "X-Varnish",
            "X-Host",
            "X-Rewrite-URL",
            "Surrogate-Capability",
            "X-Cloud-Trace-Context",
          ].map((name) => ({ [name]: "127.0.0.1" })),
          // A foreign page whose name resolves to this machine (DNS rebinding), and a proxy that keeps the host header.
          { host: "evil.example" },
          { host: `localhost.evil.example:${port}` },
          { host: "127.0.0.1.evil.example" },
          { host: "192.168.1.7" },
        ];
        for (const headers of passedOn)
          for (const path of ["/api/demo/mails", "/correo", "/correo.data", "/_.data?_routes=routes%2Fmails"]) {
            const got = await ask(app, path, headers);
            const what = `${path} ${JSON.stringify(headers)}`;
            expect(got.text, what).not.toContain(token);
            if (!path.startsWith("/_.")) expect(got.status, what).toBe(404);
          }
      } finally {
        await app.close();
      }
    },
  );

  test("are said to leave where a mail server is set up", async () => {
    const app = await openTestApp({ environment: { SMTP_URL: smtp.url } });
    try {
      const { text } = await ask(app, "/correo", {});
      expect(text).toContain("los correos salen de verdad");
      expect(text).not.toMatch(/No salen de esta máquina|habría enviado|aparece aquí/);
    } finally {
      await app.close();
    }
  });

  test("do not exist in production, not even for the machine itself or the administrator", async () => {
    const app = await openTestApp({ environment: { DEMO: "off", SMTP_URL: smtp.url } });
    try {
      await app.sql(
        "insert into kept_mails (recipient, subject, text, html) values ('a@b.example', 'x', 'secreto de antes', '')",
      );
      for (const person of [null, await app.admin()]) {
        expect((await app.call("GET", "/demo/mails", undefined, person)).status).toBe(404);
        const page = await app.page("/correo", person);
        expect(page.status).toBe(404);
        expect(page.text).not.toContain("secreto de antes");
      }
    } finally {
      await app.close();
    }
  });
});
