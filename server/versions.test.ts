import { describe, expect, test } from "vitest";
import type { Answer, TestUser } from "#test/app.ts";
import { withRowsLocked } from "#test/locks.ts";
import { mailJobs } from "#test/mailbox.ts";
import { operations } from "#test/operations.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, consultationBody, publishAnswer, readConsultation } from "#test/threads.ts";
import {
  consultationVersion,
  mailVersion,
  messageVersion,
  problemVersion,
  psychologistVersion,
} from "#test/versions.ts";
import { MAIL_QUEUE } from "./mail/queues.ts";
import { type Versioned, withVersion } from "./versions.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);

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

/** Adds a pending psychologist. @returns the shown version and the approval */
async function psychologistToApprove(name?: string) {
  const { id } = await app.person({ type: "psychologist", verified: false, name });
  return {
    id,
    version: await psychologistVersion(app, admin, id),
    decide: (version: string) => app.call("PUT", `/admin/psychologists/${id}/verification`, { version }, admin),
  };
}
/** Publishes a consultation. @returns the shown version and the removal */
async function consultationToRemove(author?: TestUser) {
  const id = await ask(app, author ?? (await app.person()));
  return {
    id,
    version: await consultationVersion(app, admin, id),
    decide: (version: string) => app.call("DELETE", `/admin/consultations/${id}`, { version }, admin),
  };
}
const auditOf = (id: string) => app.sql("select action from audit_log where target_id = $1", [id]);

describe("decision about a psychologist who changed since the list was shown", () => {
  test("responds 409 with the current row and the typed reason, without an audit entry or a mail", async () => {
    const { id, version, decide } = await psychologistToApprove("Nombre Uno");
    await app.sql("update profiles set full_name = 'Nombre Dos' where id = $1", [id]);
    const jobs = await mailJobs(app);
    const current = await expectConflict(decide, version, "/admin", { intent: "approve", id }, "Nombre Dos");
    const rejected = await app.form("/admin", { intent: "reject", id, version, reason: "Un motivo escrito." }, admin);
    expect(rejected.status).toBe(409);
    for (const text of ["Nombre Dos", current, "Un motivo escrito."]) expect(rejected.text).toContain(text);
    for (const text of ["Nombre Uno", version]) expect(rejected.text).not.toContain(text);
    expect([await auditOf(id), await mailJobs(app)]).toEqual([[], jobs]);
    expect((await decide(current)).status).toBe(200);
  });

  test("ignores changes of fields that no decision considers", async () => {
    const { id, version, decide } = await psychologistToApprove();
    await app.sql(
      "update psychologist_profiles set rating = 4.5, total_reviews = 2, total_responses = 3, gold_until = 'infinity', total_votes = 9 where id = $1",
      [id],
    );
    // Both lists show the same version.
    const { items } = (await app.call("GET", "/admin/psychologists/pending", undefined, admin)).body;
    expect(items).toContainEqual(expect.objectContaining({ id, version }));
    expect((await decide(version)).status).toBe(200);
  });
});

describe("removal of a consultation that changed since the list was shown", () => {
  test("responds 409 with the current content but without the author after an answer or an edit", async () => {
    const author = await app.person({ name: "Autora Escondida" });
    const { id, version, decide } = await consultationToRemove(author);
    await publishAnswer(app, id, await app.person({ type: "psychologist" }));
    const answered = await consultationVersion(app, admin, id);
    expect(answered).not.toBe(version);
    const content = "Un texto corregido, del todo inofensivo.";
    await app.call("PATCH", `/consultations/${id}`, consultationBody({ content }), author);
    expect((await decide(answered)).status).toBe(409);
    const refused = await decide(version);
    expect(refused.body.current).toMatchObject({ id, content });
    for (const secret of [author.id, author.email, "Autora", "user_id"]) expect(refused.text).not.toContain(secret);
    const fields = { intent: "delete", id };
    const current = await expectConflict(decide, version, "/admin/consultas", fields, content);
    expect(await expectConflict(decide, version, `/consulta/${id}/eliminar`, {}, content)).toBe(current);
    expect(await auditOf(id)).toEqual([]);
    const done = await app.form(`/consulta/${id}/eliminar`, { version: current }, admin);
    expect(done.headers.get("location")).toBe("/");
  });

  test("shows the administrator the same version in the list and on the page, and other users none", async () => {
    const author = await app.person();
    const { id, version } = await consultationToRemove(author);
    const { items } = (await app.call("GET", "/admin/consultations", undefined, admin)).body;
    expect(items).toContainEqual(expect.objectContaining({ id, version }));
    expect((await app.page(`/consulta/${id}/eliminar`, admin)).text).toContain(`name="version" value="${version}"`);
    for (const as of [null, author, await app.person({ type: "psychologist" })])
      expect((await readConsultation(app, id, as)).body.viewer.removal_version).toBeNull();
  });
});

test.each([
  ["profiles", "full_name = 'Nombre Que Nadie Vio'"],
  ["psychologist_profiles", "license_number = 'MP 666'"],
  ["consultations", "title = 'Nadie vio este título'"],
])("a decision responds 409 after waiting for a change of %s", async (table, set) => {
  const { id, version, decide } = await (table === "consultations" ? consultationToRemove() : psychologistToApprove());
  const [decided] = await withRowsLocked(
    app,
    `update ${table} set ${set} where id = $1`,
    [id],
    [() => decide(version)],
  );
  expect(decided).toMatchObject({ status: 409, body: { code: "version_conflict" } });
});

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
    expect(await auditOf(id)).toEqual([{ action: "message_handled" }]);
  });

  test("respond 409 if the payment problem changed or is settled", async () => {
    const [{ id }] = (await app.sql<{ id: string }>(
      `insert into payment_problems (kind, provider, external_id, reason, created_at)
       values ('mismatch', 'paypal', 'I-CHANGES', 'amount', now()) returning id`,
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
    const { version: shown, decide } = await psychologistToApprove();
    await decide(shown);
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
