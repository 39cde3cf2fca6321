import { randomUUID } from "node:crypto";
import { STATUS_CODES } from "node:http";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import { LIMITS } from "#shared/limits.ts";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { mailVersion, psychologistVersion } from "#test/versions.ts";
import { sendMail } from "../background.ts";
import type { OutgoingMail } from "../integrations/smtp.ts";
import { MAIL_QUEUE, type MailJob } from "../mail/queues.ts";
import { linkToken } from "../tokens.ts";

let app: TestApp;
let admin: Person;
const sent: OutgoingMail[] = [];
beforeAll(async () => {
  app = await openTestApp({
    overrides: {
      mailer: {
        send: async (mail) => {
          sent.push(mail);
        },
        close: () => {},
      },
    },
  });
  admin = await app.admin();
});
afterAll(() => app.close());
beforeEach(async () => {
  app.setNow(null);
  sent.length = 0;
  await app.sql("delete from pgboss.job");
});

/** As if the seconds had passed in which a decision can be undone: what waits for that is due. */
const undoIsOver = () =>
  app.sql("update pgboss.job set start_after = now() where name = $1 and state = 'created'", [MAIL_QUEUE]);

/** Sends the queued mails, as the worker does. */
async function deliver(): Promise<void> {
  await undoIsOver();
  for (const job of await app.context.boss.fetch<MailJob>(MAIL_QUEUE, { batchSize: 50 })) {
    await sendMail(app.context, job.data);
    await app.context.boss.complete(MAIL_QUEUE, job.id);
  }
}

const pending = (name?: string) => app.person({ type: "psychologist", verified: false, name });
const stateOf = async (person: Person) =>
  (
    await app.sql("select is_verified, verified_at, rejected_at from psychologist_profiles where id = $1", [person.id])
  )[0];
const auditOf = (person: Person) =>
  app.sql("select actor_id, action, details, created_at from audit_log where target_id = $1 order by created_at", [
    person.id,
  ]);
const versionOf = (id: string) => psychologistVersion(app, admin, id);
const approve = async (id: string, version?: string) =>
  app.call("PUT", `/admin/psychologists/${id}/verification`, { version: version ?? (await versionOf(id)) }, admin);
const reject = async (id: string, reason?: string) =>
  app.call("DELETE", `/admin/psychologists/${id}/verification`, { version: await versionOf(id), reason }, admin);

const operations = Object.entries(contract).flatMap(([group, procedures]) =>
  Object.entries(procedures).map(([name, procedure]) => {
    const { method = "GET", path = "/" } = procedure["~orpc"].route;
    return { name: `${group}.${name}`, method, path };
  }),
);
const adminOperations = operations.filter(({ path }) => path.startsWith("/admin/"));
/** What a write of the administrator brings besides the id; undoing names a decision, which has no version. */
const versioned = (name: string) => (name === "admin.undo" ? {} : { version: "" });

describe("the administrator's operations", () => {
  test("all lie under /admin", () => {
    expect(adminOperations.length).toBeGreaterThanOrEqual(6);
    for (const { path, name } of operations) if (name.startsWith("admin.")) expect(path).toMatch(/^\/admin\//);
  });

  test.each(adminOperations)("$name is only for the administrator", async ({ name, method, path }) => {
    const waiting = await pending();
    const asked = path.replace(/\{[^}]+\}/g, waiting.id);
    const body = method === "GET" ? undefined : versioned(name);
    const asSomebody = (person: Person | null) => app.call(method, asked, body, person);
    expect(await asSomebody(null)).toMatchObject({ status: 401, text: '{"code":"sign_in_required"}' });
    const others = [
      await app.person(),
      await app.person({ type: "psychologist" }),
      await app.person({ type: "psychologist", gold: "active" }),
      waiting,
    ];
    for (const person of others)
      expect(await asSomebody(person)).toMatchObject({ status: 403, text: '{"code":"admin_only"}' });
    expect(await stateOf(waiting)).toMatchObject({ is_verified: false, rejected_at: null });
    expect(await auditOf(waiting)).toEqual([]);
    const allowed = await asSomebody(admin);
    expect([200, 404, 409], allowed.text).toContain(allowed.status);
    expect(allowed.headers.get("cache-control")).toBe("private, no-store");
  });

  test("no one else learns from them what is there: a wrong id is refused like a right one", async () => {
    const person = await app.person();
    for (const id of [randomUUID(), "no-id", "..", "%00"])
      for (const { name, path, method } of adminOperations.filter(({ path }) => path.includes("{"))) {
        const answer = await app.call(method, path.replace(/\{[^}]+\}/, id), versioned(name), person);
        // What is no id names nothing for anyone.
        expect([403, 404]).toContain(answer.status);
        expect(answer.body).not.toHaveProperty("fields");
      }
  });

  test("the page shows nothing of them to others", async () => {
    const waiting = await pending("Perla Escondida Nácar");
    expect((await app.page("/admin", admin)).text).toContain("Perla Escondida Nácar");
    for (const [person, status] of [
      [null, 401],
      [await app.person(), 403],
      [await app.person({ type: "psychologist" }), 403],
    ] as const) {
      for (const path of ["/admin", "/admin.data"]) {
        const page = await app.page(path, person);
        if (path === "/admin") expect(page.status).toBe(status);
        for (const secret of ["Perla", waiting.email, waiting.id]) expect(page.text).not.toContain(secret);
      }
      const refused = await app.page("/admin.data", person);
      expect(refused.text).toContain(STATUS_CODES[status]);
      expect(refused.text).not.toContain("Internal Server Error");
      const form = await app.form("/admin", { intent: "approve", id: waiting.id }, person);
      expect(form.status).toBe(status);
    }
    expect(await stateOf(waiting)).toMatchObject({ is_verified: false });
  });
});

describe("the administrator", () => {
  const EMAIL = "jefa@divan.example";
  const PASSWORD = "un caballo sin montura";

  test("is the account that has confirmed the configured address, only as long as it has it", async () => {
    const own = await openTestApp({ environment: { ADMIN_EMAIL: "Jefa@Divan.example" } });
    try {
      const registration = {
        user_type: "user",
        full_name: "Jefa Primera",
        email: EMAIL.toUpperCase(),
        password: PASSWORD,
        confirm_password: PASSWORD,
        adult_or_guardian: true,
        health_data: true,
        transfer_abroad: true,
      };
      expect((await own.call("POST", "/registrations", registration)).status).toBe(202);
      const early = await own.call("POST", "/session", { email: EMAIL, password: PASSWORD });
      expect(early).toMatchObject({ status: 400, body: { code: "invalid_credentials" } });
      expect(early.headers.getSetCookie().filter((line) => line.startsWith("sid="))).toEqual([]);
      const [waiting] = await own.sql<{ id: string }>("select id from pending_registrations");
      const token = linkToken(own.context.config.secret, "confirm", waiting!.id);
      const { email: _, ...person } = registration;
      const confirmed = await own.call("POST", "/accounts", { token, ...person });
      expect(confirmed.body.viewer).toMatchObject({ email: EMAIL, is_admin: true });
      const cookie = /^[^;]+/.exec(confirmed.headers.getSetCookie().find((line) => line.startsWith("sid="))!)![0];
      const summary = () => own.call("GET", "/admin/summary", undefined, null, { cookie });
      expect((await summary()).status).toBe(200);
      await own.sql("update profiles set email = 'otra@divan.example'");
      expect((await summary()).body.code).toBe("admin_only");
    } finally {
      await own.close();
    }
  });

  test.each([
    "xadmin@divan.example",
    "admin@divan.example.evil.example",
    "admin+1@divan.example",
    "аdmin@divan.example",
    "admin@divan.examp1e",
  ])("is not %s", async (email) => {
    const person = await app.person({ email });
    expect((await app.call("GET", "/session", undefined, person)).body.user.is_admin).toBe(false);
    expect((await app.call("GET", "/admin/summary", undefined, person)).body.code).toBe("admin_only");
  });
});

describe("approving a psychologist", () => {
  test("verifies them, is recorded and told by mail", async () => {
    const waiting = await pending();
    const at = new Date(Date.now() + 3_600_000);
    app.setNow(at);
    // The answer is what was changed, as it stands now.
    expect(await approve(waiting.id)).toMatchObject({
      status: 200,
      body: { id: waiting.id, is_verified: true, verified_at: at.toISOString(), rejected_at: null },
    });
    expect(await stateOf(waiting)).toEqual({ is_verified: true, verified_at: at, rejected_at: null });
    expect(await auditOf(waiting)).toEqual([
      {
        actor_id: admin.id,
        action: "psychologist_approved",
        details: { before: { verified_at: null, rejected_at: null } },
        created_at: at,
      },
    ]);
    app.setNow(null);
    expect((await app.call("GET", "/session", undefined, waiting)).body.user.is_verified).toBe(true);
    await deliver();
    expect(sent.map((mail) => [mail.to.address, mail.subject])).toEqual([
      [waiting.email, "Tu cuenta profesional en Diván está verificada"],
    ]);
  });

  test("is done once, however many do it at once", async () => {
    const waiting = await pending();
    const version = await versionOf(waiting.id);
    const answers = await Promise.all(Array.from({ length: 20 }, () => approve(waiting.id, version)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect(await auditOf(waiting)).toHaveLength(1);
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toHaveLength(1);
  });

  test.each([
    ["verified already", async () => (await app.person({ type: "psychologist" })).id],
    ["no psychologist", async () => (await app.person()).id],
    ["nobody", async () => randomUUID()],
  ])("says that nothing was updated when it is %s", async (_name, id) => {
    const target = await id();
    expect(await approve(target)).toMatchObject({ status: 409, body: { code: "nothing_updated" } });
    expect(await app.sql("select from audit_log where target_id = $1", [target])).toEqual([]);
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual([]);
  });
});

describe("the check of a licence", () => {
  const listed = async (query = "") =>
    (await app.call("GET", `/admin/psychologists${query}`, undefined, admin)).body.items as {
      id: string;
      verified_at: string;
      check_due: boolean;
    }[];
  /** Someone verified at this moment, seen with the clock at another. */
  async function checked(at: string, now: string): Promise<Person> {
    app.setNow(new Date(at));
    const person = await app.person({ type: "psychologist", country: "Colombia" });
    app.setNow(new Date(now));
    await app.sql(
      "update sessions set created_at = $2, seen_at = $2, expires_at = $2::timestamptz + interval '1 day' where account_id = $1",
      [admin.id, new Date(now)],
    );
    return person;
  }

  test("is due again after twelve months, to the second, and until then is not", async () => {
    const person = await checked("2027-03-02T12:00:00Z", "2028-03-02T11:59:59Z");
    const entry = async () => (await listed()).find(({ id }) => id === person.id);
    expect(await entry()).toMatchObject({ verified_at: "2027-03-02T12:00:00.000Z", check_due: false });
    expect((await listed("?state=due")).map(({ id }) => id)).not.toContain(person.id);
    expect(await approve(person.id)).toMatchObject({ status: 409, body: { code: "nothing_updated" } });
    app.setNow(new Date("2028-03-02T12:00:00Z"));
    expect(await entry()).toMatchObject({ check_due: true });
    expect((await listed("?state=due")).map(({ id }) => id)).toContain(person.id);
    // Who waits for a first check is not due again.
    const waiting = await pending();
    expect((await listed("?state=due")).map(({ id }) => id)).not.toContain(waiting.id);
  });

  test("once lapsed is renewed without telling the psychologist, who goes on answering meanwhile", async () => {
    const person = await checked("2027-05-01T08:00:00Z", "2028-06-01T08:00:00Z");
    expect((await app.call("GET", `/psychologists/${person.id}`)).body).toMatchObject({ is_verified: true });
    const version = await versionOf(person.id);
    const answers = await Promise.all(Array.from({ length: 10 }, () => approve(person.id, version)));
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array(9).fill(409)]);
    expect(await stateOf(person)).toMatchObject({ is_verified: true, verified_at: new Date("2028-06-01T08:00:00Z") });
    expect((await auditOf(person)).map(({ action }) => action)).toEqual(["licence_checked_again"]);
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual([]);
    expect((await listed("?state=due")).map(({ id }) => id)).not.toContain(person.id);
  });

  test("stands on the administrator's page with the registers and both decisions", async () => {
    const person = await checked("2027-07-01T08:00:00Z", "2028-08-01T08:00:00Z");
    const { text } = await app.page("/admin?vista=psicologos&estado=por-comprobar", admin);
    expect(text).toContain(person.full_name);
    expect(text).toContain("Comprobar de nuevo");
    for (const register of ["https://www.colpsic.org.co/", "https://web.sispro.gov.co/"])
      expect(text).toContain(register);
    const sent = await app.form(
      "/admin?vista=psicologos&estado=por-comprobar",
      { intent: "renew", id: person.id, version: await versionOf(person.id) },
      admin,
    );
    expect(sent.headers.get("location")).toBe("/admin?vista=psicologos&estado=por-comprobar");
    const cookie = [admin.cookie, ...sent.headers.getSetCookie().map((one) => one.split(";")[0])].join("; ");
    const after = await app.page("/admin?vista=psicologos&estado=por-comprobar", { ...admin, cookie });
    expect(after.text).not.toContain(`id="d-${person.id}"`);
    expect(after.text).toContain("Matrícula comprobada");
  });
});

describe("rejecting a psychologist", () => {
  test("with a reason keeps them in the list, and the mail carries the reason", async () => {
    // The list shows so many: those of other tests would push this one out of it.
    await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
    const waiting = await pending();
    const at = new Date(Date.now() + 3_600_000);
    app.setNow(at);
    const reason = "El número no figura en el registro.\nRevisa la provincia.";
    expect(await reject(waiting.id, reason)).toMatchObject({
      status: 200,
      body: { id: waiting.id, is_verified: false, verified_at: null, rejected_at: at.toISOString() },
    });
    expect(await stateOf(waiting)).toEqual({ is_verified: false, verified_at: null, rejected_at: at });
    const list = await app.call("GET", "/admin/psychologists/pending", undefined, admin);
    expect(list.body.find((row: { id: string }) => row.id === waiting.id)).toMatchObject({
      email: waiting.email,
      license_number: "MP 1234",
      rejected_at: at.toISOString(),
    });
    expect(await auditOf(waiting)).toMatchObject([
      { actor_id: admin.id, action: "psychologist_rejected", details: { reason }, created_at: at },
    ]);
    await deliver();
    expect(sent).toHaveLength(1);
    expect(sent[0]).toMatchObject({
      to: { address: waiting.email },
      subject: expect.stringContaining("No hemos podido"),
    });
    expect(sent[0]!.text).toContain(`Motivo: ${reason}`);
    expect(sent[0]!.html).toContain("El número no figura en el registro.");
    // No one reads what is answered to the sender: the mail says where to correct the data, and where to write.
    expect(sent[0]!.text).not.toMatch(/responde a este correo/i);
    expect(sent[0]!.text).toContain(`Mi Perfil (${app.url}/perfil)`);
    expect(sent[0]!.html).toContain(`href="${app.url}/contacto"`);
  });

  test.each([undefined, "", "   "])(
    "with %j as reason keeps them in the list, and the mail names none",
    async (reason) => {
      const waiting = await pending();
      expect((await reject(waiting.id, reason)).status).toBe(200);
      expect(await stateOf(waiting)).toMatchObject({ is_verified: false, rejected_at: expect.any(Date) });
      expect(await auditOf(waiting)).toMatchObject([{ details: { reason: null } }]);
      await deliver();
      expect(sent).toHaveLength(1);
      expect(sent[0]!.text).not.toContain("Motivo");
    },
  );

  test("takes back an earlier approval; a later one counts again", async () => {
    const person = await app.person({ type: "psychologist" });
    expect((await reject(person.id)).status).toBe(200);
    expect((await app.call("GET", "/session", undefined, person)).body.user.is_verified).toBe(false);
    expect((await approve(person.id)).status).toBe(200);
    expect(await stateOf(person)).toMatchObject({ is_verified: true, rejected_at: null });
    expect((await auditOf(person)).map((row) => row.action)).toEqual([
      "psychologist_rejected",
      "psychologist_approved",
    ]);
  });

  test("says that nothing was updated when there is no one to reject", async () => {
    for (const id of [randomUUID(), (await app.person()).id])
      expect(await reject(id)).toMatchObject({ status: 409, body: { code: "nothing_updated" } });
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual([]);
  });

  test("with a reason of 1,001 characters is refused beside the field", async () => {
    const waiting = await pending();
    expect(await reject(waiting.id, "a".repeat(1001))).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { reason: expect.any(String) } },
    });
    expect(await stateOf(waiting)).toMatchObject({ rejected_at: null });
  });
});

test("who registered first stands first in the list, and the numbers count them", async () => {
  // The two fit on the first page whatever other tests left.
  await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
  const before = (await app.call("GET", "/admin/summary", undefined, admin)).body;
  const [first, second] = [await pending(), await pending()];
  await app.person({ type: "psychologist" });
  await app.sql("update psychologist_profiles set created_at = now() - interval '1 day' where id = $1", [second.id]);
  const { body } = await app.call("GET", "/admin/psychologists/pending", undefined, admin);
  const ids = body.map((row: { id: string }) => row.id);
  expect(ids.indexOf(second.id)).toBeLessThan(ids.indexOf(first.id));
  expect((await app.call("GET", "/admin/summary", undefined, admin)).body).toEqual({
    psychologists: before.psychologists + 3,
    pending: before.pending + 2,
    verified: before.verified + 1,
    consultations: before.consultations,
    messages: before.messages,
    payments: before.payments,
  });
});

describe("undoing a decision about a psychologist", () => {
  const undo = (id: string) => app.call("POST", `/admin/decisions/${id}/undo`, {}, admin);
  const undoable = async () => (await app.call("GET", "/admin/decisions/undoable", undefined, admin)).body;
  /** The id of the newest decision about someone. */
  const decisionAbout = async (person: Person) =>
    (
      await app.sql<{ id: string }>("select id from audit_log where target_id = $1 order by created_at desc limit 1", [
        person.id,
      ])
    )[0]!.id;
  const mails = () => app.sql<{ id: string }>("select id from pgboss.job where name = $1", [MAIL_QUEUE]);
  /** A clock that stands, and is moved on by seconds. */
  let at = new Date();
  // What other tests decided is long over.
  let start = at.getTime();
  const wait = (seconds: number) => {
    at = new Date(at.getTime() + seconds * 1000);
    app.setNow(at);
  };
  beforeEach(() => {
    start += 60_000;
    at = new Date(start);
    app.setNow(at);
  });

  test("gives back what they were, is recorded, and the mail never leaves", async () => {
    const waiting = await pending("Ada Apresurada");
    const rejected = new Date(at.getTime() - 86_400_000);
    await app.sql("update psychologist_profiles set rejected_at = $2 where id = $1", [waiting.id, rejected]);
    const version = await versionOf(waiting.id);
    expect((await approve(waiting.id)).status).toBe(200);
    const id = await decisionAbout(waiting);
    wait(3);
    expect(await undoable()).toEqual([
      {
        id,
        decision: "approved",
        target_id: waiting.id,
        name: "Ada Apresurada",
        listed_at: expect.stringMatching(/Z$/),
        seconds_left: LIMITS.undoSeconds - 3,
      },
    ]);
    expect(await undo(id)).toMatchObject({ status: 200, body: { done: true } });
    expect(await stateOf(waiting)).toEqual({ is_verified: false, verified_at: null, rejected_at: rejected });
    expect(await versionOf(waiting.id)).toBe(version);
    expect(await undoable()).toEqual([]);
    expect((await auditOf(waiting)).map(({ action, actor_id, details }) => [action, actor_id, details])).toEqual([
      ["psychologist_approved", admin.id, expect.anything()],
      ["decision_undone", admin.id, { decision: id }],
    ]);
    await deliver();
    expect(sent).toEqual([]);
    expect(await undo(id)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
  });

  test("of a rejection gives the verification back with its date", async () => {
    const person = await app.person({ type: "psychologist" });
    const before = await stateOf(person);
    await reject(person.id, "Un motivo");
    wait(LIMITS.undoSeconds - 0.001);
    expect((await undo(await decisionAbout(person))).status).toBe(200);
    expect(await stateOf(person)).toEqual(before);
    await deliver();
    expect(sent).toEqual([]);
  });

  test("of a check that was renewed makes it due again", async () => {
    const person = await app.person({ type: "psychologist" });
    await app.sql("update psychologist_profiles set verified_at = $2 where id = $1", [
      person.id,
      new Date(at.getTime() - 400 * 86_400_000),
    ]);
    const before = await stateOf(person);
    await approve(person.id);
    expect((await undoable())[0]).toMatchObject({ decision: "checked_again", target_id: person.id });
    expect((await undo(await decisionAbout(person))).status).toBe(200);
    expect(await stateOf(person)).toEqual(before);
  });

  test("is refused once its seconds are over, and once a worker has the mail, and changes nothing then", async () => {
    const [late, taken] = [await pending(), await pending()];
    await approve(late.id);
    wait(LIMITS.undoSeconds);
    expect(await undoable()).toEqual([]);
    expect(await undo(await decisionAbout(late))).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    await approve(taken.id);
    await deliver();
    expect(await undo(await decisionAbout(taken))).toMatchObject({ status: 409, body: { code: "undo_too_late" } });
    expect(sent.map((mail) => mail.to.address).sort()).toEqual([late.email, taken.email].sort());
    for (const person of [late, taken]) {
      expect(await stateOf(person)).toMatchObject({ is_verified: true });
      expect(await auditOf(person)).toHaveLength(1);
    }
  });

  test("the mail waits until the decision can no longer be undone", async () => {
    await approve((await pending()).id);
    await reject((await pending()).id);
    const waits = await app.sql<{ seconds: number }>(
      "select extract(epoch from start_after - created_on)::float8 as seconds from pgboss.job where name = $1",
      [MAIL_QUEUE],
    );
    expect(waits).toHaveLength(2);
    for (const { seconds } of waits) expect(seconds).toBeGreaterThan(LIMITS.undoSeconds + 0.5);
  });

  test("an older decision is not undone after a newer one, and only the newer one's mail is sent", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const first = await decisionAbout(waiting);
    wait(1);
    await reject(waiting.id, "Pensado de nuevo");
    expect(await undo(first)).toMatchObject({ status: 409, body: { code: "undo_superseded" } });
    expect((await undoable()).map(({ decision }: { decision: string }) => decision)).toEqual(["rejected"]);
    await deliver();
    expect(sent.map((mail) => mail.subject)).toEqual([expect.stringContaining("No hemos podido verificar")]);
  });

  test("of the newer one gives the older one back with its mail, and then the older one can be undone", async () => {
    const [kept, undone] = [await pending(), await pending()];
    for (const person of [kept, undone]) {
      await reject(person.id, "El primer motivo");
      wait(1);
      await approve(person.id);
      wait(1);
      expect((await undo(await decisionAbout(person))).status).toBe(200);
      expect(await stateOf(person)).toMatchObject({ is_verified: false, rejected_at: expect.any(Date) });
    }
    const [older] = await app.sql<{ id: string }>(
      "select id from audit_log where target_id = $1 and action = 'psychologist_rejected'",
      [undone.id],
    );
    expect((await undo(older!.id)).status).toBe(200);
    expect(await stateOf(undone)).toEqual({ is_verified: false, verified_at: null, rejected_at: null });
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([kept.email]);
    expect(sent[0]!.text).toContain("Motivo: El primer motivo");
  });

  test("is refused when what was checked has changed since; no mail tells of what holds no longer", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    await app.sql("update psychologist_profiles set verified_at = null, license_number = 'MP 9' where id = $1", [
      waiting.id,
    ]);
    expect(await undo(await decisionAbout(waiting))).toMatchObject({ body: { code: "undo_superseded" } });
    await deliver();
    expect(sent).toEqual([]);
  });

  test("and a worker that takes the mail at the same moment: in each round exactly one wins", async () => {
    for (let round = 0; round < (FULL_RUN ? 20 : 6); round++) {
      const waiting = await pending();
      await approve(waiting.id);
      const id = await decisionAbout(waiting);
      await undoIsOver();
      sent.length = 0;
      const work = async () => {
        for (const job of await app.context.boss.fetch<MailJob>(MAIL_QUEUE)) await sendMail(app.context, job.data);
      };
      // Either may come first.
      const both = round % 2 ? [undo(id), work()] : [work(), undo(id)];
      const status = (await Promise.all(both)).find((one) => one !== undefined)!.status;
      expect(status === 200 ? sent.length : sent.length - 1, `round ${round}: ${status}`).toBe(0);
      expect(await stateOf(waiting)).toMatchObject({ is_verified: status !== 200 });
    }
  });

  test("twenty times at once is done once", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const id = await decisionAbout(waiting);
    const answers = await Promise.all(Array.from({ length: 20 }, () => undo(id)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(409)]);
    expect((await auditOf(waiting)).map(({ action }) => action).sort()).toEqual([
      "decision_undone",
      "psychologist_approved",
    ]);
    expect(await mails()).toEqual([]);
  });

  test("names a decision: what is none, or cannot be undone, is not found", async () => {
    const waiting = await pending();
    await app.sql("insert into audit_log (actor_id, action, target_id) values ($1, 'mail_retried', $2)", [
      admin.id,
      waiting.id,
    ]);
    for (const id of [randomUUID(), waiting.id, await decisionAbout(waiting), "no-id"])
      expect((await undo(id)).status).toBe(404);
  });

  test("works with a form only: the page after the decision holds it, and the page after that the row", async () => {
    await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
    const waiting = await pending("Fermín Formulario");
    const decided = await app.form(
      "/admin",
      { intent: "approve", id: waiting.id, version: await versionOf(waiting.id) },
      admin,
    );
    expect([decided.status, decided.headers.get("location")]).toEqual([302, "/admin"]);
    const id = await decisionAbout(waiting);
    wait(5);
    const strip = (await app.page("/admin", admin)).text;
    expect(strip).toContain("Nadie espera verificación.");
    expect(strip).toMatch(/Psicólogo aprobado<!-- -->:<\/b> .*Fermín Formulario/);
    expect(strip.replaceAll("<!-- -->", "")).toContain(`El correo sale en ${LIMITS.undoSeconds - 5} segundos.`);
    expect(strip).toContain(`name="id" value="${id}"`);
    const undone = await app.form("/admin", { intent: "undo", id }, admin);
    expect([undone.status, undone.headers.get("location")]).toEqual([302, "/admin"]);
    expect(undone.headers.get("set-cookie")).toContain("notice=decision_undone;");
    const after = (await app.page("/admin", admin)).text;
    expect(after).toContain(`id="d-${waiting.id}"`);
    expect(after).not.toContain("Deshacer");
    const late = await app.form("/admin", { intent: "undo", id }, admin);
    expect(late.status).toBe(409);
    expect(late.text).toContain("Ya no se puede deshacer");
  });
});

describe("the record of what the administrator did", () => {
  test.each([
    "update audit_log set details = '{}'",
    "update audit_log set action = 'nothing'",
    "update audit_log set actor_id = null, target_id = null",
    "update audit_log set created_at = now()",
    "delete from audit_log",
  ])("refuses %s", async (statement) => {
    const waiting = await pending();
    await reject(waiting.id, "un motivo");
    const before = await app.sql("select * from audit_log order by id");
    await expect(app.sql(statement)).rejects.toThrow("append-only");
    expect(await app.sql("select * from audit_log order by id")).toEqual(before);
  });

  test("outlives its target and its actor", async () => {
    const waiting = await pending();
    const former = await app.person();
    await approve(waiting.id);
    await app.sql("insert into audit_log (actor_id, action, target_id) values ($1, 'a test', $2)", [
      former.id,
      waiting.id,
    ]);
    await app.sql("delete from profiles where id = any($1)", [[former.id, waiting.id]]);
    expect(await auditOf(waiting)).toMatchObject([
      { actor_id: admin.id, action: "psychologist_approved" },
      { actor_id: null, action: "a test" },
    ]);
  });

  test("is out of reach of what reads for the public", async () => {
    const rights = await app.sql<{ may: boolean }>(
      "select has_table_privilege('divan_public', 'public.audit_log', 'select, insert, update, delete, truncate') as may",
    );
    expect(rights).toEqual([{ may: false }]);
  });
});

describe("mails that could not be delivered", () => {
  const list = async () => (await app.call("GET", "/admin/mails", undefined, admin)).body;
  const retry = async (id: string) =>
    app.call("POST", `/admin/mails/${id}/retry`, { version: await mailVersion(app, admin, id) }, admin);
  /** The next attempt fails, as it does when the worker's mail server refuses. */
  async function failOnce(message: string) {
    await undoIsOver();
    const [job] = await app.context.boss.fetch(MAIL_QUEUE);
    await app.context.boss.fail(MAIL_QUEUE, job!.id, new Error(message));
    return job!.id;
  }
  const due = () => app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);

  test("are shown from the first failure on, with how often it was tried and why it failed", async () => {
    await approve((await pending()).id);
    expect(await list()).toEqual([]);
    const id = await failOnce("451 try later");
    const shown = {
      id,
      version: expect.any(String),
      kind: "psychologist_approved",
      created_at: expect.stringMatching(/Z$/),
      attempts: 1,
      gave_up: false,
      last_error: "451 try later",
    };
    expect(await list()).toEqual([shown]);
    await due();
    await failOnce("452 still not");
    expect(await list()).toEqual([{ ...shown, attempts: 2, last_error: "452 still not" }]);
    expect((await app.page("/admin", admin)).status).toBe(200);
  });

  test("are tried again at once when the administrator says so", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    const id = await failOnce("451 try later");
    await deliver();
    expect(sent).toEqual([]); // Its time has not come.
    expect(await retry(id)).toMatchObject({ status: 200, body: { done: true } });
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([waiting.email]);
    expect(await list()).toEqual([]);
  });

  test("that were given up stay, and can be sent again", async () => {
    const waiting = await pending();
    await approve(waiting.id);
    await app.sql("update pgboss.job set retry_limit = 1 where name = $1", [MAIL_QUEUE]);
    await failOnce("451 try later");
    await due();
    const id = await failOnce("550 never");
    expect(await list()).toMatchObject([{ id, attempts: 2, gave_up: true, last_error: "550 never" }]);
    await due();
    await deliver();
    expect(sent).toEqual([]);
    expect((await retry(id)).status).toBe(200);
    await deliver();
    expect(sent.map((mail) => mail.to.address)).toEqual([waiting.email]);
    expect(await list()).toEqual([]);
  });

  test("are the only ones that can be tried again", async () => {
    await approve((await pending()).id);
    const [queued] = await app.sql<{ id: string }>("select id from pgboss.job where name = $1", [MAIL_QUEUE]);
    for (const id of [queued!.id, randomUUID(), "no-id"]) expect((await retry(id)).status).toBe(404);
    await deliver();
    expect((await retry(queued!.id)).status).toBe(404);
    await deliver();
    expect(sent).toHaveLength(1);
  });
});

test("who waits comes a page at a time, each once, and a rejected head of the list hides no one", async () => {
  await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
  const waiting: string[] = [];
  for (let n = 0; n < 25; n++) waiting.push((await pending()).id);
  const first = await app.call("GET", "/admin/psychologists/pending", undefined, admin);
  expect(first.body).toHaveLength(20);
  for (const { id } of first.body)
    await app.sql("update psychologist_profiles set rejected_at = now() where id = $1", [id]);
  const last = first.body.at(-1).id;
  const next = await app.call("GET", `/admin/psychologists/pending?after=${last}`, undefined, admin);
  expect(next.body).toHaveLength(5);
  expect([...first.body, ...next.body].map((row: { id: string }) => row.id).sort()).toEqual(waiting.sort());
  const page = await app.page("/admin", admin);
  expect(page.text).toContain(`/admin?despues=${last}`);
  expect((await app.page(`/admin?despues=${last}`, admin)).text).toContain("Ver desde el principio");
  expect((await app.page("/admin?despues=nonsense", admin)).status).toBeLessThan(500);
});
