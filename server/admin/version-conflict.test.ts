import { afterEach, describe, expect, test } from "vitest";
import { MAIL_QUEUE } from "#server/mail/queues.ts";
import type { TestUser } from "#test/app.ts";
import { withRowsLocked } from "#test/locks.ts";
import { setUpAdmin, setUpTestApp } from "#test/suite-setup.ts";
import { ask, consultationBody, postAnswer } from "#test/threads.ts";
import { consultationVersion, psychologistVersion } from "#test/versions.ts";

const app = setUpTestApp();
const admin = setUpAdmin(app);
afterEach(() => app.setNow(null));

/** Changes what a psychologist's licence is checked with. */
const change = (person: TestUser, name: string) =>
  app.sql(
    `with renamed as (update profiles set full_name = $2 where id = $1)
     update psychologist_profiles set license_number = 'MP 99999' where id = $1`,
    [person.id, name],
  );
const waitingPerson = (name?: string) => app.person({ type: "psychologist", verified: false, name });
const stateOf = async (person: TestUser) =>
  (
    await app.sql<{ is_verified: boolean; rejected_at: Date | null; license_number: string; full_name: string }>(
      "select is_verified, rejected_at, license_number, full_name from psychologist_profiles join profiles using (id) where id = $1",
      [person.id],
    )
  )[0]!;
const auditOf = (id: string) => app.sql("select action from audit_log where target_id = $1", [id]);
const approve = (id: string, version: string) =>
  app.call("PUT", `/admin/psychologists/${id}/verification`, { version }, admin);
const pendingOf = async (person: TestUser) =>
  (await app.call("GET", "/admin/psychologists/pending", undefined, admin)).body.items.find(
    ({ id }: { id: string }) => id === person.id,
  );

describe("decision about a psychologist who changed since the list was shown", () => {
  test("responds 409 with the current row, without an audit entry", async () => {
    const person = await waitingPerson("Lic. Ana Buena");
    const before = await pendingOf(person);
    await change(person, "Otra Persona");
    const jobs = await app.sql("select id from pgboss.job where name = $1", [MAIL_QUEUE]);
    const refused = await approve(person.id, before.version);
    expect([refused.status, refused.body.code]).toEqual([409, "version_conflict"]);
    expect(refused.body.current).toEqual(await pendingOf(person));
    expect(refused.body.current).toMatchObject({ full_name: "Otra Persona", license_number: "MP 99999" });
    expect(await stateOf(person)).toMatchObject({ is_verified: false, rejected_at: null });
    expect(await auditOf(person.id)).toEqual([]);
    expect(await app.sql("select id from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual(jobs);
    // The version of the current row is valid.
    expect((await approve(person.id, refused.body.current.version)).status).toBe(200);
    expect(await stateOf(person)).toMatchObject({ is_verified: true, license_number: "MP 99999" });
  });

  test("responds 409 if any field changed that the decision considers", async () => {
    const person = await waitingPerson();
    for (const [table, change] of [
      ["profiles", "full_name = 'Nombre Cambiado'"],
      ["profiles", "email = id || '@otra.example'"],
      ["profiles", "avatar_url = '/avatars/x.webp'"],
      ["psychologist_profiles", "license_number = 'X 1'"],
      ["psychologist_profiles", "country = 'Chile'"],
      ["psychologist_profiles", "specialty = null"],
      ["psychologist_profiles", "bio = 'Otra'"],
      ["psychologist_profiles", "phone = '+54 11 1234'"],
      ["psychologist_profiles", "whatsapp = '+54 11 1234'"],
      ["psychologist_profiles", "rejected_at = now()"],
    ]) {
      const { version } = await pendingOf(person);
      await app.sql(`update ${table} set ${change} where id = $1`, [person.id]);
      const refused = await approve(person.id, version);
      expect([change, refused.status, refused.body.code]).toEqual([change, 409, "version_conflict"]);
    }
    expect(await stateOf(person)).toMatchObject({ is_verified: false });
  });

  test("ignores changes of fields that no decision considers", async () => {
    const person = await waitingPerson();
    const version = await psychologistVersion(app, admin, person.id);
    await app.sql(
      "update psychologist_profiles set rating = 4.5, total_reviews = 2, total_responses = 3, gold_until = 'infinity', total_votes = 9 where id = $1",
      [person.id],
    );
    // Both lists show the same version.
    expect((await pendingOf(person)).version).toBe(version);
    expect((await approve(person.id, version)).status).toBe(200);
  });

  test.each([
    ["profiles", "full_name = 'Nombre Que Nadie Vio'"],
    ["psychologist_profiles", "license_number = 'MP 666'"],
  ])("responds 409 after waiting for a change of %s", async (table, set) => {
    const person = await waitingPerson();
    const { version } = await pendingOf(person);
    const decide = () => approve(person.id, version);
    const [decided] = await withRowsLocked(app, `update ${table} set ${set} where id = $1`, [person.id], [decide]);
    expect(decided).toMatchObject({ status: 409, body: { code: "version_conflict" } });
  });

  test("shows the current data in a form with the current version", async () => {
    const person = await waitingPerson("Nombre Uno");
    const { version } = await pendingOf(person);
    await change(person, "Nombre Dos");
    for (const intent of ["approve", "reject"]) {
      const page = await app.form("/admin", { intent, id: person.id, version, reason: "Un motivo escrito." }, admin);
      expect(page.status).toBe(409);
      expect(page.text).toContain("Cambió mientras lo mirabas");
      expect(page.text).toContain("Nombre Dos");
      expect(page.text).not.toContain("Nombre Uno");
      expect(page.text).toContain(`name="version" value="${(await pendingOf(person)).version}"`);
      expect(page.text).not.toContain(version);
      // The page shows the typed reason again.
      expect(page.text).toContain("Un motivo escrito.");
    }
    expect((await stateOf(person)).is_verified).toBe(false);
    const sent = await app.form(
      "/admin",
      { intent: "approve", id: person.id, version: (await pendingOf(person)).version },
      admin,
    );
    expect(sent.headers.get("location")).toBe("/admin");
  });
});

describe("removal of a consultation that changed since the list was shown", () => {
  const remove = (id: string, version: string) => app.call("DELETE", `/admin/consultations/${id}`, { version }, admin);

  test("responds 409 with the current content but without the author after an answer or an edit", async () => {
    const author = await app.person({ name: "Autora Escondida" });
    const id = await ask(app, author);
    const version = await consultationVersion(app, admin, id);
    const psychologist = await app.person({ type: "psychologist" });
    await postAnswer(app, id, psychologist, "Una respuesta.");
    const answered = await consultationVersion(app, admin, id);
    expect(answered).not.toBe(version);
    await app.call(
      "PATCH",
      `/consultations/${id}`,
      consultationBody({ content: "Un texto corregido, del todo inofensivo." }),
      author,
    );
    expect((await remove(id, answered)).status).toBe(409);
    const refused = await remove(id, version);
    expect([refused.status, refused.body.code]).toEqual([409, "version_conflict"]);
    expect(refused.body.current).toMatchObject({ id, content: "Un texto corregido, del todo inofensivo." });
    for (const secret of [author.id, author.email, "Autora", "user_id"]) expect(refused.text).not.toContain(secret);
    expect((await app.page(`/consulta/${id}`)).status).toBe(200);
    expect(await auditOf(id)).toEqual([]);
    expect((await remove(id, refused.body.current.version)).status).toBe(200);
  });

  test("uses the same version in the list and on the consultation's page", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const version = await consultationVersion(app, admin, id);
    const { items } = (await app.call("GET", "/admin/consultations", undefined, admin)).body;
    expect(items.find((one: { id: string }) => one.id === id).version).toBe(version);
    expect((await app.page(`/consulta/${id}/eliminar`, admin)).text).toContain(`name="version" value="${version}"`);
    // A viewer who may not remove it gets no version.
    for (const as of [null, author, await app.person({ type: "psychologist" })])
      expect((await app.call("GET", `/consultations/${id}`, undefined, as)).body.viewer.removal_version).toBeNull();
    await app.call("PATCH", `/consultations/${id}`, consultationBody({ title: "Un título nuevo" }), author);
    const forms = [
      await app.form("/admin/consultas", { intent: "delete", id, version }, admin),
      await app.form(`/consulta/${id}/eliminar`, { version }, admin),
    ];
    const now = await consultationVersion(app, admin, id);
    for (const page of forms) {
      expect(page.status).toBe(409);
      for (const text of ["Cambió mientras lo mirabas", "Un título nuevo", now]) expect(page.text).toContain(text);
    }
    const done = await app.form(`/consulta/${id}/eliminar`, { version: now }, admin);
    expect(done.headers.get("location")).toBe("/");
  });

  test("responds 409 after waiting for an edit", async () => {
    const id = await ask(app, await app.person());
    const version = await consultationVersion(app, admin, id);
    const edit = "update consultations set title = 'Nadie vio este título' where id = $1";
    const [removed] = await withRowsLocked(app, edit, [id], [() => remove(id, version)]);
    expect(removed).toMatchObject({ status: 409, body: { code: "version_conflict" } });
  });
});
