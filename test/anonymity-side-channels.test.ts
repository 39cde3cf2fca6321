import { createHash } from "node:crypto";
import { expect, test } from "vitest";
import { DAY, MINUTE } from "#shared/time.ts";
import { openTestApp, type TestApp, type TestUser } from "./app.ts";
import { startPushService } from "./fakes/push-service.ts";
import { FULL_RUN } from "./full-run.ts";
import { operations } from "./operations.ts";
import { consultationVersion, psychologistVersion } from "./versions.ts";

/*
 * Shows that no response to a third party depends on the author of an anonymous consultation.
 *
 * Builds the same world twice with swapped authors, and compares every response to third parties byte by byte. Both
 * worlds have the same ids, clock and URL, so nothing needs to be normalised.
 */

const START = new Date("2026-03-02T15:04:05.678Z");

/** The URL in pages and mails, independent of the test's port. */
const PUBLIC_URL = "http://divan.test";
const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
const TITLE = "No puedo dormir desde hace un mes";

type People = Record<"first" | "second" | "other" | "psychologist" | "pending" | "admin", TestUser>;
type World = {
  app: TestApp;
  people: People;
  ids: { consultation: string; answer: string; psychologist: string };
  /** Responses to third parties: label -> status, headers, body. */
  received: Map<string, string>;
  /** Recipients of the mails about answers, one entry per mail. */
  told: string[];
};

/**
 * Replaces random ids by sequences, so that the same steps create the same ids. Each table has its own sequence,
 * because workers write mails concurrently.
 */
async function countIds(app: TestApp) {
  const columns = await app.sql<{ of: string; name: string }>(
    "select table_name as of, column_name as name from information_schema.columns where table_schema = 'public' and column_default = 'gen_random_uuid()' order by 1, 2",
  );
  for (const [n, { of, name }] of columns.entries()) {
    const prefix = `00000000-0000-4000-8000-${String(n).padStart(2, "0")}`;
    await app.sql(`create sequence ids_${n}`);
    await app.sql(
      `create function next_id_${n}() returns uuid language sql as $$ select ('${prefix}' || lpad(nextval('ids_${n}')::text, 10, '0'))::uuid $$`,
    );
    await app.sql(`alter table ${of} alter column ${name} set default next_id_${n}()`);
  }
}

async function makePerson(app: TestApp, number: number, full_name: string, email: string, verified?: boolean) {
  const id = `10000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
  const secret = String(number).padStart(43, "s");
  const type = verified === undefined ? "user" : "psychologist";
  const photo = /canari/i.test(full_name) ? `/avatars/${id}-canario.webp` : null;
  await app.sql(
    "insert into profiles (id, full_name, email, user_type, avatar_url, created_at) values ($1, $2, $3, $4, $5, $6)",
    [id, full_name, email, type, photo, START],
  );
  await app.sql(
    "insert into accounts (id, password_hash, password_changed_at, email_verified_at, notifications_seen_at) values ($1, 'argon2id$19456$2$1$AAAA$AAAA', $2, $2, $2)",
    [id, START],
  );
  if (verified !== undefined)
    await app.sql(
      "insert into psychologist_profiles (id, license_number, specialty, country, verified_at, created_at) values ($1, 'MP 1234', 'Psicología Clínica', 'Chile', $2, $3)",
      [id, verified ? START : null, START],
    );
  await app.sql(
    "insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at) values ($1, $1, $2, $3, $3, $4)",
    [id, createHash("sha256").update(secret).digest(), START, new Date(START.getTime() + 30 * DAY)],
  );
  return { id, email, full_name, cookie: `sid=${id}.${secret}` };
}

/** Returns status, headers and body as received, except the Date header. */
const record = ({ status, headers, text }: { status: number; headers: Headers; text: string }) =>
  [status, ...[...headers].filter(([name]) => name !== "date").map((header) => header.join(": ")), "", text].join("\n");

type Reader = null | "other" | "psychologist" | "pending" | "admin";
const READERS: Reader[] = [null, "other", "psychologist", "pending", "admin"];

/** Requests all readable paths as each kind of reader who is not the author. */
async function readEverything({ app, people, ids, received }: World, moment: string, readers = READERS) {
  const idIn = (path: string) =>
    path.includes("psychologists/") ? ids.psychologist : path.startsWith("/answers") ? ids.answer : ids.consultation;
  const reads = operations
    // Excludes the demo's mails, which include mails to the author. They are compared below.
    .filter(({ method, path }) => method === "GET" && path !== "/demo/mails")
    .map(({ path }) => path.replace("{id}", idIn(path)));
  const { first, second } = people;
  const consultation = `/consulta/${ids.consultation}`;
  const api = [
    ...reads,
    ..."/consultations?sort=votes /consultations?sort=responses /consultations?sort=oldest".split(" "),
    ..."/consultations?country=Chile&category=Ansiedad /search?q=dormir /search?q=primera /search?q=segundo".split(" "),
    ...["oldest", "votes"].map((sort) => `/consultations/${ids.consultation}?sort=${sort}`),
    ...[first, second].map(({ id }) => `/psychologists/${id}`),
    `/consultations?author=${first.id}`,
    `/consultations?user_id=${second.id}`,
  ];
  const pages = [
    ..."/ /?orden=votadas /?orden=respondidas /?orden=antiguas /?pais=Chile&categoria=Ansiedad /_.data /home".split(
      " ",
    ),
    ..."/nueva-consulta /buscar?q=dormir /buscar?q=primera /admin /sitemap.xml /feed.xml /robots.txt".split(" "),
    ..."/temas/ansiedad /temas/ansiedad.data /temas/ansiedad/feed.xml /paises/chile /paises/chile/feed.xml".split(" "),
    ...["", ".data", "?orden=antiguas", "/respuesta"].map((more) => consultation + more),
    ...[ids.psychologist, `${ids.psychologist}.data`, first.id].map((id) => `/psicologo/${id}`),
    // The recorded ETag is a digest of the image's bytes.
    `/imagen/consulta/${ids.consultation}.png`,
    `/imagen/psicologo/${ids.psychologist}.png`,
    ...["consulta", "psicologo"].map((kind) => `/sitemap-${kind}.xml?desde=00000000-0000-4000-8000-000000000000`),
  ];
  for (const who of readers) {
    const as = who && people[who];
    const label = (what: string) => `${moment}: ${who ?? "visitor"}: ${what}`;
    for (const path of api)
      received.set(label(`/api${path}`), record(await app.call("GET", path, undefined, as, SAME_ORIGIN)));
    for (const path of pages) received.set(label(path), record(await app.page(path, as, { headers: SAME_ORIGIN })));
  }
}

const OPENLY = "after both wrote openly";

async function buildWorld(author: "first" | "second"): Promise<World> {
  const service = await startPushService();
  const environment = { PUBLIC_URL, PUSH_TEST_ORIGIN: service.url };
  const app = await openTestApp({ environment, workers: true, pageCache: true });
  app.setNow(START);
  await countIds(app);
  const people: People = {
    first: await makePerson(app, 1, "Primera Canaria", "primera-canaria@example.com"),
    second: await makePerson(app, 2, "Segundo Canario", "segundo-canario@example.com"),
    other: await makePerson(app, 3, "Otra Persona", "otra@example.com"),
    psychologist: await makePerson(app, 4, "Una Psicóloga", "psicologa@example.com", true),
    pending: await makePerson(app, 5, "Un Pendiente", "pendiente@example.com", false),
    admin: await makePerson(app, 6, "Administración", "admin@divan.example"),
  };
  const browsers = await Promise.all(
    Object.values(people).map(async (person) => {
      const browser = service.browser();
      await app.call("PUT", "/notifications/choices", { device: browser.subscription }, person, SAME_ORIGIN);
      return { person, browser };
    }),
  );
  let passed = 0;
  const later = (milliseconds = MINUTE) => {
    passed += milliseconds;
    app.setNow(new Date(START.getTime() + passed));
  };
  const received = new Map<string, string>();
  const unsent = "select from pgboss.job where name = 'push' and state < 'completed'";
  const pushesSent = () => expect.poll(() => app.sql(unsent)).toEqual([]);
  const call = async (method: string, path: string, body: unknown, as: TestUser, expected: number) => {
    later();
    const answer = await app.call(method, path, body, as, SAME_ORIGIN);
    if (answer.status !== expected) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  const question = { content: "Un texto de prueba de veinte letras.", country: "Chile", category: "Ansiedad" };

  const asked = { ...question, title: TITLE, is_anonymous: true, notify_on_answer: true, noindex: true };
  const author_name = `Apodo de ${people[author].full_name}`;
  const made = await call("POST", "/consultations", { ...asked, author_name }, people[author], 201);
  const consultation = made.body.id as string;
  // The author's refused requests must not be visible to others.
  await call("POST", "/consultations", asked, people[author], 403);
  await call("POST", "/consultations", { title: "" }, people[author], 422);
  const content = "Una respuesta de prueba";
  const answered = await call("POST", `/consultations/${consultation}/answers`, { content }, people.psychologist, 201);
  const ids = { consultation, answer: answered.body.id as string, psychologist: people.psychologist.id };
  const world: World = { app, people, ids, received, told: [] };
  await readEverything(world, "after the answer", ["psychologist"]);

  // Both do the same in the same order, independent of the author.
  for (const person of [people.first, people.second]) {
    await call("PUT", `/consultations/${consultation}/vote`, { vote: "up" }, person, 200);
    await call("PUT", `/answers/${ids.answer}/vote`, { vote: "up" }, person, 200);
    await call("POST", `/answers/${ids.answer}/replies`, { content: "Gracias por la respuesta" }, person, 201);
    await app.page(`/consulta/${consultation}`, person, { headers: SAME_ORIGIN });
    await app.page("/", person, { headers: SAME_ORIGIN });
  }
  for (const who of ["other", "psychologist", "admin"] as const) {
    const acts = [
      await app.call("PUT", `/consultations/${consultation}/vote`, { vote: "down" }, people[who], SAME_ORIGIN),
      await app.call("POST", `/answers/${ids.answer}/replies`, { content: "Opino" }, people[who], SAME_ORIGIN),
      await app.call("POST", `/consultations/${consultation}/answers`, { content: "Otra" }, people[who], SAME_ORIGIN),
      await app.form(`/consulta/${consultation}/voto`, { vote: "up" }, people[who], SAME_ORIGIN),
    ];
    for (const [i, act] of acts.entries()) received.set(`acts of ${who}: ${i}`, record(act));
  }
  await pushesSent(); // A push that waits until the clock has moved by a day is sent again.
  await readEverything(world, "after votes and replies", FULL_RUN ? READERS : [null, "other", "admin"]);

  later(8 * DAY);
  await app.sql("update sessions set created_at = $1, seen_at = $1", [new Date(START.getTime() + passed)]);
  for (const person of [people.first, people.second])
    await call("POST", "/consultations", { ...question, title: "Con mi nombre", is_anonymous: false }, person, 201);
  await readEverything(world, OPENLY, FULL_RUN ? [null, "admin"] : [null]);

  // A mail to another user, and all stored mails to others.
  const version = await psychologistVersion(app, people.admin, people.pending.id);
  await call("PUT", `/admin/psychologists/${people.pending.id}/verification`, { version }, people.admin, 200);
  // The mail normally waits until the approval cannot be undone.
  await app.sql("update pgboss.job set start_after = now() where data ->> 'kind' = 'psychologist_approved'");
  await app.mailTo(people.pending.email, /verificada/);
  const mails = await app.sql<Record<string, string>>(
    "select recipient, subject, text from demo_mails where recipient <> all($1) order by recipient, subject",
    [[people.first.email, people.second.email]],
  );
  await pushesSent();
  await service.close();
  // Only the authors' own may differ.
  for (const { person, browser } of browsers.slice(2))
    received.set(`pushes: ${person.email}`, browser.payloads().join());
  const headers = service.pushes.map(({ headers: { authorization, host, ...others }, body }) => [others, body.length]);
  received.set("pushes", JSON.stringify(headers));
  received.set(
    "pushed",
    JSON.stringify(await app.sql("select data from pgboss.job where name = 'push' order by created_on")),
  );
  received.set("mails", JSON.stringify(mails, null, 1));
  // Only the author is notified: once, and again after looking. The queued job contains no user id.
  const answerMails = () =>
    app.sql<{ recipient: string }>("select recipient from demo_mails where subject = 'Hay novedades en tu cuenta'");
  await expect.poll(async () => (await answerMails()).length).toBeGreaterThanOrEqual(2);
  world.told = (await answerMails()).map(({ recipient }) => recipient);
  const jobs = await app.sql<{ data: object }>(
    "select data - 'mail_id' as data, priority from pgboss.job where name = 'mail' and data ->> 'kind' = 'new_answer' order by created_on",
  );
  received.set("jobs", JSON.stringify(jobs));
  // A busy machine may lose a connection in only one of the worlds.
  const lines = app.log.filter((line) => JSON.parse(line).event !== "database_connection_lost");
  const logged = lines.map((line) => JSON.stringify({ ...JSON.parse(line), time: 0 })).sort();
  received.set("logs", logged.join("\n"));
  await removeAndUndo(world);
  return world;
}

/** Removes the consultation as the administrator and undoes the removal. Neither may reveal the author. */
async function removeAndUndo({ app, people: { admin }, ids, received }: World): Promise<void> {
  const read = (path: string, as: TestUser | null) => app.page(path, as, { headers: SAME_ORIGIN });
  const version = await consultationVersion(app, admin, ids.consultation);
  const path = `/admin/consultations/${ids.consultation}`;
  received.set("removal", record(await app.call("DELETE", path, { version }, admin, SAME_ORIGIN)));
  type Decision = { id: string; decision: string };
  const shown = await app.call<Decision[]>("GET", "/admin/decisions/undoable", undefined, admin, SAME_ORIGIN);
  // Ids of decisions are random, and the page's policy contains a digest of them.
  const masked = (text: string) => shown.body.reduce((all, { id }) => all.replaceAll(id, "a decision"), text);
  received.set("removal: undoable", masked(record(shown)));
  received.set("removal: list", masked((await read("/admin/consultas", admin)).text));
  received.set("removal: page", record(await read(`/consulta/${ids.consultation}`, null)));
  const { id } = shown.body.find(({ decision }) => decision === "consultation_deleted")!;
  received.set("undone", record(await app.call("POST", `/admin/decisions/${id}/undo`, {}, admin, SAME_ORIGIN)));
  for (const as of [null, admin])
    received.set(`undone: ${as ? "admin" : "visitor"}`, record(await read(`/consulta/${ids.consultation}`, as)));
}

const differences = (one: World, two: World) =>
  [...new Set([...one.received.keys(), ...two.received.keys()])].filter(
    (label) => one.received.get(label) !== two.received.get(label),
  );

const mineOf = async ({ app, ids }: World, person: TestUser) =>
  (await app.call("GET", `/consultations/${ids.consultation}`, undefined, person, SAME_ORIGIN)).body.viewer.mine;

async function expectNoTraceOfAuthor({ app, people: { first }, ids, received }: World): Promise<void> {
  for (const [label, text] of received) {
    // The lists contain what both wrote openly.
    if (label.startsWith(OPENLY) || label === "removal: list") continue;
    expect(text, label).not.toMatch(/canari/i);
    // Only requests with an id in their path may repeat that id.
    if (!label.includes(first.id)) expect(text, label).not.toContain(first.id);
  }
  // The author's own page contains the markers, so the search can find them.
  const own = await app.page("/", first, { headers: SAME_ORIGIN });
  expect(own.text).toContain(first.full_name);
  const logs = app.log.join("\n");
  for (const secret of [TITLE, "Un texto de prueba", "Gracias por la respuesta", first.cookie.slice(-43), "canari"])
    expect(logs).not.toContain(secret);
  expect(logs).not.toContain(first.id);
  expect(logs).not.toContain(ids.consultation);
}

test("an anonymous consultation returns byte-identical responses to third parties for either author", async () => {
  const [one, two] = [await buildWorld("first"), await buildWorld("second")];
  try {
    // The worlds differ for the two authors.
    expect([await mineOf(one, one.people.first), await mineOf(one, one.people.second)]).toEqual([true, false]);
    expect([await mineOf(two, two.people.first), await mineOf(two, two.people.second)]).toEqual([false, true]);
    expect(one.told).toEqual(Array(2).fill(one.people.first.email));
    expect(two.told).toEqual(Array(2).fill(two.people.second.email));
    expect(JSON.parse(one.received.get("jobs")!)).toHaveLength(2);
    // Enough was compared: pages and responses with the consultation, and a mail.
    expect(one.received.size).toBeGreaterThan(300);
    const showing = [...one.received.values()].filter((text) => text.startsWith("200") && text.includes(TITLE));
    expect(showing.length).toBeGreaterThan(100);
    expect(one.received.get("pushes: psicologa@example.com")).toContain("Tienes una novedad");
    expect(one.received.get("mails")).toContain("pendiente@example.com");

    for (const label of differences(one, two)) expect(two.received.get(label), label).toBe(one.received.get(label));
    await expectNoTraceOfAuthor(one);
  } finally {
    await one.app.close();
    await two.app.close();
  }
});
