import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { pagesOf } from "#test/lists.ts";
import { setUpAdmin, setUpTestAppWithMailbox } from "#test/suite-setup.ts";
import { verificationSteps } from "#test/verification.ts";
import { MAIL_QUEUE } from "../../mail/queues.ts";

const { app, mailbox, sent } = setUpTestAppWithMailbox();
const admin = setUpAdmin(app);
const { versionOf, deliver, pending, stateOf, auditOf, approve, reject } = verificationSteps(app, admin, mailbox);

describe("approval of a psychologist", () => {
  test("verifies the psychologist, writes an audit entry, sends a mail", async () => {
    const waiting = await pending();
    const at = new Date(Date.now() + 3_600_000);
    app.setNow(at);
    // The response contains the current row.
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
    expect(sent[0]!.text).toContain("las tres primeras respuestas son gratuitas");
  });

  test("responds 409 no_rows_updated if the id is no account, no psychologist or verified already", async () => {
    const verified = await app.person({ type: "psychologist" });
    for (const target of [verified.id, (await app.person()).id, randomUUID()]) {
      expect(await approve(target)).toMatchObject({ status: 409, body: { code: "no_rows_updated" } });
      // A rejection needs a psychologist too.
      if (target !== verified.id)
        expect(await reject(target)).toMatchObject({ status: 409, body: { code: "no_rows_updated" } });
      expect(await app.sql("select from audit_log where target_id = $1", [target])).toEqual([]);
    }
    expect(await app.sql("select from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual([]);
  });
});

describe("licence check", () => {
  const listed = async (query = "") =>
    (await app.call("GET", `/admin/psychologists${query}`, undefined, admin)).body.items as {
      id: string;
      verified_at: string;
      check_due: boolean;
    }[];
  /** Verifies a psychologist at one time, then sets the clock to another. */
  async function checked(at: string, now: string): Promise<TestUser> {
    app.setNow(new Date(at));
    const person = await app.person({ type: "psychologist", country: "Colombia" });
    app.setNow(new Date(now));
    return person;
  }

  test("becomes due 12 months later, to the second", async () => {
    const person = await checked("2027-03-02T12:00:00Z", "2028-03-02T11:59:59Z");
    const entry = async () => (await listed()).find(({ id }) => id === person.id);
    expect(await entry()).toMatchObject({ verified_at: "2027-03-02T12:00:00.000Z", check_due: false });
    expect((await listed("?state=due")).map(({ id }) => id)).not.toContain(person.id);
    expect(await approve(person.id)).toMatchObject({ status: 409, body: { code: "no_rows_updated" } });
    app.setNow(new Date("2028-03-02T12:00:00Z"));
    expect(await entry()).toMatchObject({ check_due: true });
    expect((await listed("?state=due")).map(({ id }) => id)).toContain(person.id);
    // A psychologist who waits for a first check is not due again.
    const waiting = await pending();
    expect((await listed("?state=due")).map(({ id }) => id)).not.toContain(waiting.id);
  });

  test("renews a lapsed check without a mail while the psychologist can answer", async () => {
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

  test("appears on the administrator's page with the registers and both decisions", async () => {
    const person = await checked("2027-07-01T08:00:00Z", "2028-08-01T08:00:00Z");
    const { text } = await app.page("/admin/psicologos?estado=por-comprobar", admin);
    expect(text).toContain(person.full_name);
    expect(text).toContain("Comprobar de nuevo");
    for (const register of ["https://www.colpsic.org.co/", "https://web.sispro.gov.co/"])
      expect(text).toContain(register);
    const sent = await app.form(
      "/admin/psicologos?estado=por-comprobar",
      { intent: "renew", id: person.id, version: await versionOf(person.id) },
      admin,
    );
    expect(sent.headers.get("location")).toBe("/admin/psicologos?estado=por-comprobar");
    const cookie = [admin.cookie, ...sent.headers.getSetCookie().map((one) => one.split(";")[0])].join("; ");
    const after = await app.page("/admin/psicologos?estado=por-comprobar", { ...admin, cookie });
    expect(after.text).not.toContain(`id="d-${person.id}"`);
    expect(after.text).toContain("Matrícula comprobada");
  });
});

describe("rejection of a psychologist", () => {
  test("leaves the psychologist in the list and sends the reason by mail", async () => {
    // The list shows one page, and rows of other tests would fill it.
    await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
    const waiting = await pending();
    await app.sql("update psychologist_profiles set changed_since_check = '{full_name}' where id = $1", [waiting.id]);
    const at = new Date(Date.now() + 3_600_000);
    app.setNow(at);
    const reason = "El número no figura en el registro.\nRevisa la provincia.";
    expect(await reject(waiting.id, reason)).toMatchObject({
      status: 200,
      body: { id: waiting.id, is_verified: false, verified_at: null, rejected_at: at.toISOString() },
    });
    expect(await stateOf(waiting)).toEqual({ is_verified: false, verified_at: null, rejected_at: at });
    const list = await app.call("GET", "/admin/psychologists/pending", undefined, admin);
    expect(list.body.items.find((row: { id: string }) => row.id === waiting.id)).toMatchObject({
      email: waiting.email,
      license_number: "MP 1234",
      rejected_at: at.toISOString(),
      changed_since_check: null,
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
    // Replies to the sender are not read, so the mail says where to correct the data and where to write.
    expect(sent[0]!.text).not.toMatch(/responde a este correo/i);
    expect(sent[0]!.text).toContain(`Mi Perfil (${app.url}/perfil)`);
    expect(sent[0]!.html).toContain(`href="${app.url}/contacto"`);
  });

  test("sends a mail without a reason that is blank", async () => {
    const waiting = await pending();
    expect(await reject(waiting.id, "a".repeat(1001))).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { reason: expect.any(String) } },
    });
    expect((await reject(waiting.id, "   ")).status).toBe(200);
    expect(await stateOf(waiting)).toMatchObject({ is_verified: false, rejected_at: expect.any(Date) });
    expect(await auditOf(waiting)).toMatchObject([{ details: { reason: null } }]);
    await deliver();
    expect(sent).toHaveLength(1);
    expect(sent[0]!.text).not.toContain("Motivo");
  });

  test("revokes an earlier approval until the next one", async () => {
    const person = await app.person({ type: "psychologist", used: 3 });
    expect((await reject(person.id)).status).toBe(200);
    expect((await app.call("GET", "/session", undefined, person)).body.user.is_verified).toBe(false);
    await deliver();
    expect((await approve(person.id)).status).toBe(200);
    await deliver();
    // The account was verified before, and its free answers are used up.
    expect(sent[0]!.text).toContain("Tu cuenta queda pendiente");
    expect(sent[1]!.text).not.toContain("gratuitas");
    expect(await stateOf(person)).toMatchObject({ is_verified: true, rejected_at: null });
    expect((await auditOf(person)).map((row) => row.action)).toEqual([
      "psychologist_rejected",
      "psychologist_approved",
    ]);
  });
});

test("returns pages of 20 pending psychologists, the first registered first, each once even if shown ones are decided or deleted", async () => {
  await app.sql("update psychologist_profiles set verified_at = now() where verified_at is null");
  const waiting = await Promise.all(Array.from({ length: 25 }, async () => (await pending()).id));
  for (const [n, id] of waiting.toReversed().entries())
    await app.sql("update psychologist_profiles set created_at = now() - make_interval(secs => $2) where id = $1", [
      id,
      n,
    ]);
  expect((await app.page("/admin", admin)).text).toContain("/admin?cursor=");
  const listed: string[] = [];
  for await (const items of pagesOf(app, "/admin/psychologists/pending", admin)) {
    const ids = items.map(({ id }) => id);
    listed.push(...ids);
    await app.sql("update psychologist_profiles set rejected_at = now() where id = any($1)", [ids]);
    await app.sql("delete from profiles where id = $1", [ids.at(-1)]);
  }
  expect(listed).toEqual(waiting);
});
