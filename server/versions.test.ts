import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import { ask, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import {
  consultationVersion,
  mailVersion,
  messageVersion,
  problemVersion,
  psychologistVersion,
} from "#test/versions.ts";
import { MAIL_QUEUE } from "./mail/queues.ts";
import { refuseIfChanged, type Versioned, withVersion } from "./versions.ts";

let app: TestApp;
let admin: Person;
beforeAll(async () => {
  app = await openTestApp();
  admin = await app.admin();
});
afterAll(() => app.close());
afterEach(() => app.setNow(null));

/** Of each race. */
const ROUNDS = FULL_RUN ? 50 : 12;

const operations = Object.entries(contract).flatMap(([group, procedures]) =>
  Object.entries(procedures).map(([name, procedure]) => ({ name: `${group}.${name}`, ...procedure["~orpc"] })),
);
/** Writes of the administrator that are about nothing that others can change, each with the reason. */
const WITHOUT_VERSION: Record<string, string> = {
  "admin.undo": "names the decision itself, which never changes; what was decided since refuses it",
};

test("every write of the administrator demands the version of what was shown", () => {
  const writes = operations.filter(
    ({ route }) => route.path?.startsWith("/admin/") && route.method !== "GET" && route.method !== undefined,
  );
  expect(writes.length).toBeGreaterThanOrEqual(6);
  const forgotten = writes.filter(({ name, inputSchema }) => {
    const refused = (
      inputSchema as unknown as { safeParse(value: unknown): { error?: { issues: { path: unknown[] }[] } } }
    ).safeParse({ id: "00000000-0000-4000-8000-000000000000" });
    return !refused.error?.issues.some(({ path }) => path[0] === "version") && !(name in WITHOUT_VERSION);
  });
  expect(forgotten.map(({ name }) => name)).toEqual([]);
});

type Profile = { full_name?: string; license_number?: string; country?: string | null; bio?: string | null };
/** A psychologist's own profile, saved as their page does. */
const save = (person: Person, more: Profile) =>
  app.call(
    "PUT",
    "/profile",
    {
      full_name: person.full_name,
      license_number: "MP 1234",
      specialty: "Psicología Clínica",
      country: null,
      bio: null,
      phone: null,
      whatsapp: null,
      website: null,
      ...more,
    },
    person,
  );
const waitingPerson = async (name?: string) => {
  const person = await app.person({ type: "psychologist", verified: false, name });
  // Who has a photo may save the profile.
  await app.sql("update profiles set avatar_url = $2 where id = $1", [person.id, `/avatars/${person.id}-1.webp`]);
  return person;
};
const stateOf = async (person: Person) =>
  (
    await app.sql<{ is_verified: boolean; rejected_at: Date | null; license_number: string; full_name: string }>(
      "select is_verified, rejected_at, license_number, full_name from psychologist_profiles join profiles using (id) where id = $1",
      [person.id],
    )
  )[0]!;
const auditOf = (id: string) => app.sql("select action from audit_log where target_id = $1", [id]);
const approve = (id: string, version: string) =>
  app.call("PUT", `/admin/psychologists/${id}/verification`, { version }, admin);
const reject = (id: string, version: string, reason = "") =>
  app.call("DELETE", `/admin/psychologists/${id}/verification`, { version, reason }, admin);
const pendingOf = async (person: Person) =>
  (await app.call("GET", "/admin/psychologists/pending", undefined, admin)).body.find(
    ({ id }: { id: string }) => id === person.id,
  );

describe("a psychologist who changed while the administrator looked", () => {
  test("is not verified: the refusal says what changed and shows them anew, and nothing is recorded", async () => {
    const person = await waitingPerson("Lic. Ana Buena");
    const before = await pendingOf(person);
    expect((await save(person, { full_name: "Otra Persona", license_number: "MP 99999" })).status).toBe(200);
    const jobs = await app.sql("select id from pgboss.job where name = $1", [MAIL_QUEUE]);
    const refused = await approve(person.id, before.version);
    expect([refused.status, refused.body.code]).toEqual([409, "changed_meanwhile"]);
    expect(refused.body.facts.changed.sort()).toEqual(["full_name", "license_number"]);
    expect(refused.body.current).toEqual(await pendingOf(person));
    expect(refused.body.current).toMatchObject({ full_name: "Otra Persona", license_number: "MP 99999" });
    expect(await stateOf(person)).toMatchObject({ is_verified: false, rejected_at: null });
    expect(await auditOf(person.id)).toEqual([]);
    expect(await app.sql("select id from pgboss.job where name = $1", [MAIL_QUEUE])).toEqual(jobs);
    // What is shown now can be decided about.
    expect((await approve(person.id, refused.body.current.version)).status).toBe(200);
    expect(await stateOf(person)).toMatchObject({ is_verified: true, license_number: "MP 99999" });
  });

  test("is not rejected for what stands there no longer", async () => {
    const person = await waitingPerson();
    const { version } = await pendingOf(person);
    await save(person, { license_number: "MP 4321" });
    const refused = await reject(person.id, version, "El número no existe.");
    expect([refused.status, refused.body.code]).toEqual([409, "changed_meanwhile"]);
    expect(await stateOf(person)).toMatchObject({ rejected_at: null });
    expect(await auditOf(person.id)).toEqual([]);
  });

  test.each([
    ["the name", "update profiles set full_name = 'Nombre Cambiado' where id = $1", "full_name"],
    ["the address", "update profiles set email = id || '@otra.example' where id = $1", "email"],
    ["the photo", "update profiles set avatar_url = '/avatars/x.webp' where id = $1", "avatar_url"],
    ["the licence", "update psychologist_profiles set license_number = 'X 1' where id = $1", "license_number"],
    ["the country", "update psychologist_profiles set country = 'Chile' where id = $1", "country"],
    ["the specialty", "update psychologist_profiles set specialty = null where id = $1", "specialty"],
    ["the biography", "update psychologist_profiles set bio = 'Otra' where id = $1", "bio"],
    ["a telephone", "update psychologist_profiles set phone = '+54 11 1234' where id = $1", "phone"],
    ["WhatsApp", "update psychologist_profiles set whatsapp = '+54 11 1234' where id = $1", "whatsapp"],
    ["another rejection", "update psychologist_profiles set rejected_at = now() where id = $1", "rejected_at"],
  ])("is refused for %s", async (_what, statement, field) => {
    const person = await waitingPerson();
    const { version } = await pendingOf(person);
    await app.sql(statement, [person.id]);
    const refused = await approve(person.id, version);
    expect([refused.status, refused.body.facts?.changed]).toEqual([409, [field]]);
  });

  test("is decided about in spite of what no decision looks at", async () => {
    const person = await waitingPerson();
    const version = await psychologistVersion(app, admin, person.id);
    await app.sql(
      "update psychologist_profiles set rating = 4.5, total_reviews = 2, total_responses = 3, gold_until = 'infinity', total_votes = 9 where id = $1",
      [person.id],
    );
    // Both lists show the same, and say so.
    expect((await pendingOf(person)).version).toBe(version);
    expect((await approve(person.id, version)).status).toBe(200);
  });

  test("has no use for the version of someone else, of another kind, or of no one", async () => {
    const [person, other] = [await waitingPerson("Mismo Nombre"), await waitingPerson("Mismo Nombre")];
    const consultation = await ask(app, await app.person());
    const foreign = [
      (await pendingOf(other)).version,
      await consultationVersion(app, admin, consultation),
      "",
      "A".repeat(104),
      (await pendingOf(person)).version.slice(8),
    ];
    for (const version of foreign) expect((await approve(person.id, version)).body.code).toBe("changed_meanwhile");
    expect((await stateOf(person)).is_verified).toBe(false);
    for (const version of [undefined, null, 7, "A".repeat(401)])
      expect((await approve(person.id, version as string)).status).toBe(422);
  });

  test("many times at the same moment: no one is verified with what was not shown", { timeout: 120_000 }, async () => {
    const outcomes = new Set<string>();
    for (let round = 0; round < ROUNDS; round++) {
      const person = await waitingPerson();
      const { version } = await pendingOf(person);
      const changes = { full_name: "Nombre Que Nadie Vio", license_number: "MP 666" };
      const [decided, saved] = await Promise.all(
        round % 2
          ? [approve(person.id, version), save(person, changes)]
          : await Promise.all([save(person, changes), approve(person.id, version)]).then(([a, b]) => [b, a]),
      );
      expect(saved!.status).toBe(200);
      outcomes.add(`${decided!.status}`);
      const state = await stateOf(person);
      // A change of what was verified makes verification necessary again, and what changed before was not approved.
      expect(state, `round ${round}`).toMatchObject({ full_name: "Nombre Que Nadie Vio", is_verified: false });
      // The list of those who wait shows a page of them.
      await app.sql("delete from profiles where id = $1", [person.id]);
    }
    expect([...outcomes].every((one) => ["200", "409"].includes(one))).toBe(true);
  });

  test("is shown anew by form: status, words, what changed, and a form with the version of now", async () => {
    const person = await waitingPerson("Nombre Uno");
    const { version } = await pendingOf(person);
    await save(person, { full_name: "Nombre Dos" });
    for (const intent of ["approve", "reject"]) {
      const page = await app.form("/admin", { intent, id: person.id, version, reason: "Un motivo escrito." }, admin);
      expect(page.status).toBe(409);
      expect(page.text).toContain("Cambió mientras lo mirabas");
      expect(page.text).toContain("Ha cambiado: el nombre.");
      expect(page.text).toContain("Nombre Dos");
      expect(page.text).not.toContain("Nombre Uno");
      expect(page.text).toContain(`name="version" value="${(await pendingOf(person)).version}"`);
      expect(page.text).not.toContain(version);
      // What was typed is not lost.
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

describe("a consultation that changed while the administrator looked", () => {
  const words = (more = {}) => ({
    title: "Una pregunta de prueba",
    content: "Un texto de prueba con más de veinte caracteres.",
    country: "Uruguay",
    is_anonymous: true,
    ...more,
  });
  const remove = (id: string, version: string) => app.call("DELETE", `/admin/consultations/${id}`, { version }, admin);

  test("is not removed for words that stand there no longer, and the refusal does not name who wrote it", async () => {
    const author = await app.person({ name: "Autora Escondida" });
    const id = await ask(app, author);
    const version = await consultationVersion(app, admin, id);
    await app.call(
      "PATCH",
      `/consultations/${id}`,
      words({ content: "Un texto corregido, del todo inofensivo." }),
      author,
    );
    const refused = await remove(id, version);
    expect([refused.status, refused.body.code, refused.body.facts.changed]).toEqual([
      409,
      "changed_meanwhile",
      ["content"],
    ]);
    expect(refused.body.current).toMatchObject({ id, content: "Un texto corregido, del todo inofensivo." });
    for (const secret of [author.id, author.email, "Autora", "user_id"]) expect(refused.text).not.toContain(secret);
    expect((await app.page(`/consulta/${id}`)).status).toBe(200);
    expect(await auditOf(id)).toEqual([]);
    expect((await remove(id, refused.body.current.version)).status).toBe(200);
  });

  test("keeps an answer that came meanwhile, until the administrator has seen that there is one", async () => {
    const id = await ask(app, await app.person());
    const version = await consultationVersion(app, admin, id);
    const psychologist = await app.person({ type: "psychologist" });
    await app.call("POST", `/consultations/${id}/answers`, { content: "Una respuesta." }, psychologist);
    expect((await remove(id, version)).body.facts.changed).toEqual(["response_count"]);
  });

  test("in the list and on its page has one version, and both forms refuse and show it anew", async () => {
    const author = await app.person();
    const id = await ask(app, author);
    const version = await consultationVersion(app, admin, id);
    const { items } = (await app.call("GET", "/admin/consultations", undefined, admin)).body;
    expect(items.find((one: { id: string }) => one.id === id).version).toBe(version);
    expect((await app.page(`/consulta/${id}/eliminar`, admin)).text).toContain(`name="version" value="${version}"`);
    // A viewer who may not remove it gets none.
    for (const as of [null, author, await app.person({ type: "psychologist" })])
      expect((await app.call("GET", `/consultations/${id}`, undefined, as)).body.viewer.removal_version).toBeNull();
    await app.call("PATCH", `/consultations/${id}`, words({ title: "Un título nuevo" }), author);
    const forms = [
      await app.form("/admin?vista=consultas", { intent: "delete", id, version }, admin),
      await app.form(`/consulta/${id}/eliminar`, { version }, admin),
    ];
    const now = await consultationVersion(app, admin, id);
    for (const page of forms) {
      expect(page.status).toBe(409);
      for (const text of ["Cambió mientras lo mirabas", "Ha cambiado: el título.", "Un título nuevo", now])
        expect(page.text).toContain(text);
    }
    const done = await app.form(`/consulta/${id}/eliminar`, { version: now }, admin);
    expect(done.headers.get("location")).toBe("/");
  });

  test("many times edited and removed at the same moment: no words go that were not shown", {
    timeout: 120_000,
  }, async () => {
    const author = await app.person();
    for (let round = 0; round < ROUNDS; round++) {
      await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [author.id]);
      const id = await ask(app, author);
      const version = await consultationVersion(app, admin, id);
      const [edited, removed] = await Promise.all([
        app.call("PATCH", `/consultations/${id}`, words({ title: "Nadie vio este título" }), author),
        remove(id, version),
      ]);
      // One of the two came first, and the other found what that left.
      expect([edited.status, removed.status], `round ${round}`).toEqual(
        removed.status === 200 ? [410, 200] : [200, 409],
      );
    }
  });
});

describe("other decisions of the administrator", () => {
  test("a message is handled for what it says", async () => {
    await app.call("POST", "/contact", {
      name: "Rosa Luna",
      email: "rosa@example.com",
      message: "Una pregunta cualquiera.",
    });
    const [{ id }] = (await app.call("GET", "/admin/messages", undefined, admin)).body.waiting;
    const handle = (version: string) => app.call("PUT", `/admin/messages/${id}/handling`, { version }, admin);
    const version = await messageVersion(app, admin, id);
    await app.sql("update contact_messages set message = 'Otro mensaje, que nadie leyó.' where id = $1", [id]);
    const refused = await handle(version);
    expect([refused.status, refused.body.code, refused.body.facts.changed]).toEqual([
      409,
      "changed_meanwhile",
      ["message"],
    ]);
    const byForm = await app.form(`/admin/mensaje/${id}`, { version }, admin);
    expect(byForm.headers.get("location")).toBe("/admin?vista=mensajes");
    expect(byForm.headers.get("set-cookie")).toContain("notice=changed_meanwhile");
    expect((await handle(refused.body.current.version)).status).toBe(200);
    expect(await auditOf(id)).toEqual([{ action: "message_handled" }]);
  });

  test("a problem of payments is dealt with for what it says, and one that is over is not", async () => {
    const person = await app.person({ type: "psychologist" });
    const [{ id }] = (await app.sql<{ id: string }>(
      `insert into payment_problems (kind, provider, external_id, reason, psychologist_id, created_at)
       values ('mismatch', 'paypal', 'I-CHANGES', 'amount', $1, now()) returning id`,
      [person.id],
    )) as [{ id: string }];
    const handle = (version: string) => app.call("PUT", `/admin/payments/${id}/handling`, { version }, admin);
    const version = await problemVersion(app, admin, id);
    await app.sql("update payment_problems set reason = 'currency' where id = $1", [id]);
    const refused = await handle(version);
    expect([refused.status, refused.body.code, refused.body.facts.changed]).toEqual([
      409,
      "changed_meanwhile",
      ["reason"],
    ]);
    const byForm = await app.form(`/admin/pago/${id}`, { version }, admin);
    expect(byForm.headers.get("location")).toBe("/admin?vista=membresias");
    await app.sql("update payment_problems set settled_at = now() where id = $1", [id]);
    expect((await handle(refused.body.current.version)).body.code).toBe("nothing_updated");
    await app.sql("update payment_problems set settled_at = null where id = $1", [id]);
    expect((await handle(refused.body.current.version)).status).toBe(200);
  });

  test("a mail is tried again for the failure that was shown, and of 20 at once one does it", async () => {
    await app.sql("delete from pgboss.job");
    const person = await waitingPerson();
    await approve(person.id, await psychologistVersion(app, admin, person.id));
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
    const refused = await retry(version);
    expect([refused.status, refused.body.code, refused.body.facts.changed.sort()]).toEqual([
      409,
      "changed_meanwhile",
      ["attempts", "last_error"],
    ]);
    const byForm = await app.form("/admin", { intent: "retry", id, version }, admin);
    expect(byForm.status).toBe(409);
    expect(byForm.text).toContain("Cambió mientras lo mirabas");
    expect(await app.sql("select from audit_log where action = 'mail_retried' and target_id = $1", [id])).toEqual([]);
    expect((await retry(refused.body.current.version)).status).toBe(200);
  });
});

describe("the version of what is shown", () => {
  type Row = { id: string; name: string | null; votes: number };
  const subject: Versioned<Row, Row> = { kind: "thing", present: (row) => ({ ...row }), ignored: ["votes"] };
  const row: Row = { id: "1", name: "Uno", votes: 1 };
  const version = withVersion("secret", subject, row).version;
  const outcome = (now: Row, given = version, of = subject, secret = "secret") => {
    try {
      refuseIfChanged(secret, of, given)(now);
      return null;
    } catch (error) {
      return (error as { facts: { changed: string[] } }).facts.changed;
    }
  };

  test("follows every field but those that were set aside, a field that is added later too", () => {
    expect(outcome(row)).toBeNull();
    expect(outcome({ ...row, votes: 2 })).toBeNull();
    expect(outcome({ ...row, name: null })).toEqual(["name"]);
    expect(outcome({ ...row, name: "uno" })).toEqual(["name"]);
    expect(outcome({ ...row, added: true } as Row)).toEqual([]);
  });

  test("is of one row, of one kind and of this server", () => {
    expect(outcome({ ...row, id: "2" })).toEqual(["id", "name"]);
    expect(outcome(row, version, { ...subject, kind: "other" })).toEqual(["id", "name"]);
    expect(outcome(row, version, subject, "another secret")).toEqual(["id", "name"]);
    expect(version).toMatch(/^[\w-]{16}$/);
  });
});
