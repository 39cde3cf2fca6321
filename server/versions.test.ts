import { afterEach, describe, expect, test } from "vitest";
import type { Answer } from "#test/app.ts";
import { operations } from "#test/operations.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { mailVersion, messageVersion, problemVersion, psychologistVersion } from "#test/versions.ts";
import { MAIL_QUEUE } from "./mail/queues.ts";
import { type Versioned, withVersion } from "./versions.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
afterEach(() => app.setNow(null));

/** Writes of the administrator about items that other users cannot change, each with the reason. */
const WITHOUT_VERSION: Record<string, string> = {
  "admin.undo": "names the decision itself, which never changes; a later decision refuses it",
  "payments.readNow": "decides nothing: the provider is read as the sweep does",
  "payments.tie": "settles what the provider shows at that moment",
};

test("requires a version in every write of the administrator", () => {
  const writes = operations.filter(({ path, method }) => path.startsWith("/admin/") && method !== "GET");
  expect(writes.length).toBeGreaterThanOrEqual(6);
  const forgotten = writes.filter(
    ({ name, fields }) => fields.version?.safeParse(undefined).success !== false && !(name in WITHOUT_VERSION),
  );
  expect(forgotten.map(({ name }) => name)).toEqual([]);
});
type Write = (version: string) => Promise<Answer<{ code: string; current: { version: string } }>>;
/** Expects 409 for an older version, from the API and from a page that shows the item as it is now. */
async function expectConflict(write: Write, version: string, page: string, fields: Record<string, string>, now = "") {
  const refused = await write(version);
  expect([refused.status, refused.body.code]).toEqual([409, "version_conflict"]);
  const byForm = await app.form(page, { ...fields, version }, admin);
  expect(byForm.status).toBe(409);
  for (const text of ["Cambió mientras lo mirabas", now]) expect(byForm.text).toContain(text);
  const current = refused.body.current.version;
  if (now) expect(byForm.text).toContain(current);
  return current;
}

describe("decisions about other items", () => {
  test("respond 409 if the contact message changed since it was shown", async () => {
    await app.call("POST", "/contact", {
      name: "Rosa Luna",
      email: "rosa@example.com",
      message: "Una pregunta cualquiera.",
    });
    const [{ id }] = (await app.call("GET", "/admin/messages", undefined, admin)).body.waiting;
    const handle = (version: string) => app.call("PUT", `/admin/messages/${id}/handling`, { version }, admin);
    const version = await messageVersion(app, admin, id);
    const text = "Otro mensaje, que nadie leyó.";
    await app.sql("update contact_messages set message = $2 where id = $1", [id, text]);
    const current = await expectConflict(handle, version, "/admin/mensajes", { intent: "handle", id }, text);
    expect((await handle(current)).status).toBe(200);
    expect(await app.sql("select action from audit_log where target_id = $1", [id])).toEqual([
      { action: "message_handled" },
    ]);
  });

  test("respond 409 if the payment problem changed or is settled", async () => {
    const person = await app.person({ type: "psychologist" });
    const [{ id }] = (await app.sql<{ id: string }>(
      `insert into payment_problems (kind, provider, external_id, reason, psychologist_id, created_at)
       values ('mismatch', 'paypal', 'I-CHANGES', 'amount', $1, now()) returning id`,
      [person.id],
    )) as [{ id: string }];
    const handle = (version: string) => app.call("PUT", `/admin/payments/${id}/handling`, { version }, admin);
    const version = await problemVersion(app, admin, id);
    await app.sql("update payment_problems set reason = 'currency' where id = $1", [id]);
    const fields = { intent: "handle", id };
    const current = await expectConflict(handle, version, "/admin/membresias", fields, "la moneda es otra");
    await app.sql("update payment_problems set settled_at = now() where id = $1", [id]);
    expect((await handle(current)).body.code).toBe("no_rows_updated");
    await app.sql("update payment_problems set settled_at = null where id = $1", [id]);
    expect((await handle(current)).status).toBe(200);
  });

  test("respond 409 if the mail failed again since it was shown", async () => {
    await app.sql("delete from pgboss.job");
    const person = await app.person({ type: "psychologist", verified: false });
    const shown = { version: await psychologistVersion(app, admin, person.id) };
    await app.call("PUT", `/admin/psychologists/${person.id}/verification`, shown, admin);
    await app.sql("update pgboss.job set start_after = now() where name = $1", [MAIL_QUEUE]);
    const failOnce = async (message: string) => {
      const [job] = await app.context.boss.fetch(MAIL_QUEUE);
      await app.context.boss.fail(MAIL_QUEUE, job!.id, new Error(message));
      return job!.id;
    };
    const id = await failOnce("451 try later");
    const version = await mailVersion(app, admin, id);
    await app.sql("update pgboss.job set start_after = now() where id = $1", [id]);
    await failOnce("550 no such mailbox");
    const retry = (version: string) => app.call("POST", `/admin/mails/${id}/retry`, { version }, admin);
    const current = await expectConflict(retry, version, "/admin", { intent: "retry", id });
    expect(await app.sql("select from audit_log where action = 'mail_retried' and target_id = $1", [id])).toEqual([]);
    expect((await retry(current)).status).toBe(200);
  });
});

describe("version of a shown row", () => {
  type Row = { id: string; name: string | null; votes: number };
  const subject: Versioned<Row, Row> = { kind: "thing", present: (row) => ({ ...row }), ignored: ["votes"] };
  const row: Row = { id: "1", name: "Uno", votes: 1 };
  const versionOf = (now: Row, of = subject, secret = "secret") => withVersion(secret, of, now).version;
  const version = versionOf(row);

  test("changes with every field except the ignored ones, including future fields", () => {
    expect(versionOf({ ...row, votes: 2 })).toBe(version);
    for (const changed of [{ name: null }, { name: "uno" }, { added: true }])
      expect(versionOf({ ...row, ...changed })).not.toBe(version);
  });

  test("ignores the order of the fields", () => {
    expect(versionOf({ votes: 1, name: "Uno", id: "1" })).toBe(version);
  });

  test("differs by row, kind and secret", () => {
    const others = [
      versionOf({ ...row, id: "2" }),
      versionOf(row, { ...subject, kind: "other" }),
      versionOf(row, subject, "another secret"),
    ];
    expect(new Set([version, ...others]).size).toBe(4);
    expect(version).toMatch(/^[\w-]{43}$/);
  });
});
