/** The page caches of two nodes under concurrent reads and writes (docs/decisions/0006). */
import { Agent, request } from "node:http";
import { afterAll, expect, test } from "vitest";
import { openTestApp, type TestApp, type TestUser } from "./app.ts";
import { waitUntilFound } from "./eventually.ts";
import { setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, consultationBody, openThread, publishAnswer, putVote, resetWeeklyLimit } from "./threads.ts";

const READERS = 8;
const WRITERS = 4;
const SECONDS = 60;
/** Time between two losses of all connections that listen, in milliseconds. */
const CUT_MS = 7_000;
/** Longest age of a page, and of an edited or deleted text on the node without the write, in milliseconds. */
const OLDEST_MS = { page: 1_500, text: 250 };
/** Newest items of a list that its page shows for certain: half of a page. */
const SURELY_SHOWN = 5;

const app = setUpTestApp({ pageCache: true });
const other = setUpOnce(() => openTestApp({ beside: app, pageCache: true }));
afterAll(() => other.close());

/** A text that a page must show since `answered`, which is Infinity before the response to its write. */
type Written = { text: string; answered: number };
/** A text that pages must not show any more, and the node that received the write, or null if none did. */
type Gone = Written & { node: TestApp | null };
type Reader = { person: TestUser | null; theme: "light" | "dark" | null; vote: "up" | "down" | null };

const some = <Thing>(things: readonly Thing[]): Thing => things[Math.floor(Math.random() * things.length)]!;
const pause = (milliseconds: number) => new Promise((go) => setTimeout(go, milliseconds));

/** Requests a page on a persistent connection. */
const get = (agent: Agent, node: TestApp, path: string, { person, theme }: Reader) =>
  new Promise<{ status: number; text: string }>((done, fail) => {
    const cookie = [person?.cookie, theme && `theme=${theme}`].filter(Boolean).join("; ");
    request(`${node.url}${path}`, { agent, headers: cookie ? { cookie } : {} }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => done({ status: response.statusCode!, text: Buffer.concat(chunks).toString() }));
    })
      .on("error", fail)
      .end();
  });

test(`${READERS} readers and ${WRITERS} writers see no stale or foreign page of two nodes for ${SECONDS} s`, async () => {
  const nodes = [app, other];
  const hearChanges = () =>
    waitUntilFound(
      () => nodes.every((node) => node.cache!.hearsChanges()) || undefined,
      "connections that hear changes",
    );
  await hearChanges();
  const threads = await Promise.all([1, 2, 3].map(() => openThread(app)));
  const pathOf = (id: string) => `/consulta/${id}?orden=recientes`;
  /** Nothing on this page is edited or deleted, so only its age replaces it. */
  const [calm, ...busy] = threads;
  const cut = await ask(app, await app.person());
  const psychologists = await Promise.all([1, 2, 3, 4].map(() => app.person({ type: "psychologist", gold: "active" })));
  const people = await Promise.all([1, 2, 3, 4].map(() => app.person()));
  const [voter, opponent] = await Promise.all(["Canaria Una", "Canario Dos"].map((name) => app.person({ name })));
  const readers: Reader[] = [
    { person: null, theme: null, vote: null },
    { person: voter!, theme: "dark", vote: "up" },
    { person: null, theme: "light", vote: null },
    { person: opponent!, theme: null, vote: "down" },
    { person: null, theme: "dark", vote: null },
    { person: null, theme: null, vote: null },
    { person: null, theme: null, vote: null },
  ];
  for (const consultation of [cut, ...threads.map((thread) => thread.consultation)])
    for (const { person, vote } of readers)
      if (person) await putVote(app, "consultations", consultation, person, vote!);

  const written = new Map<string, Written[]>(
    ["/", pathOf(cut), ...threads.map(({ consultation }) => pathOf(consultation))].map((path) => [path, []]),
  );
  /** Times of the responses to votes. The first vote is the voter's. */
  const votes = new Map(
    threads.map(({ consultation }) => [pathOf(consultation), { sent: 1, answered: [performance.now()] }]),
  );
  const gone: Gone[] = [];
  const problems = new Set<string>();
  const counted = { reads: 0, writes: 0, cuts: 0, oldestText: 0 };
  let number = 0;
  const connection = new Agent({ keepAlive: true });
  const until = performance.now() + SECONDS * 1_000;
  const goes = () => performance.now() < until && problems.size < 20;

  /** Writes a text. Edits or deletes one of three. */
  async function write(
    path: string,
    text: string,
    create: () => Promise<string>,
    edit: (id: string) => [path: string, body: object],
    node: TestApp,
    as: TestUser,
  ): Promise<void> {
    const list = written.get(path)!;
    const one: Written = { text, answered: Number.POSITIVE_INFINITY };
    list.push(one);
    const id = await create();
    one.answered = performance.now();
    if (path === pathOf(calm!.consultation) || Math.random() < 0.66) return;
    if (Math.random() < 0.5) await pause(Math.random() * 500);
    list.splice(list.indexOf(one), 1);
    const readAsVisitor = () => get(connection, node, path, readers[0]!);
    // Puts the page with the text into the cache of this node.
    await readAsVisitor();
    const [at, body] = edit(id);
    const isEdit = Math.random() < 0.5;
    const changed = await node.call(isEdit ? "PATCH" : "DELETE", at, isEdit ? body : undefined, as);
    expect(changed.status, changed.text).toBe(200);
    const answered = performance.now();
    gone.push({ text, answered, node });
    checkGone(node, (await readAsVisitor()).text, answered);
    counted.writes++;
  }

  async function vote(node: TestApp, consultation: string): Promise<void> {
    const ofPath = votes.get(pathOf(consultation))!;
    const person = await app.person();
    ofPath.sent++;
    expect((await putVote(node, "consultations", consultation, person)).status).toBe(200);
    ofPath.answered.push(performance.now());
  }

  async function writer(_: unknown, at: number): Promise<void> {
    while (goes()) {
      const [node, second] = [some(nodes), some(nodes)];
      const { consultation } = Math.random() < 0.4 ? calm! : some(busy);
      const [author, psychologist] = [people[at]!, psychologists[at]!];
      const kind = Math.random();
      const text = `Texto número ${++number} de la prueba.`;
      if (kind < 0.3) await vote(node, consultation);
      else if (kind < 0.6) {
        await resetWeeklyLimit(app, author);
        const create = () => ask(node, author, { title: text });
        const edit = (id: string): [string, object] => [
          `/consultations/${id}`,
          consultationBody({ title: "Corregida" }),
        ];
        await write("/", text, create, edit, second, author);
      } else {
        const create = () => publishAnswer(node, consultation, psychologist, text);
        const edit = (id: string): [string, object] => [`/answers/${id}`, { content: "Una respuesta corregida." }];
        await write(pathOf(consultation), text, create, edit, second, psychologist);
      }
      counted.writes++;
      await pause(Math.random() * 200);
    }
  }

  function checkAge(path: string, page: string, began: number): void {
    const list = written.get(path)!;
    const at = list.findLastIndex(({ answered }) => answered < began - OLDEST_MS.page);
    const newest = list[at];
    if (newest && list.length - 1 - at < SURELY_SHOWN && !page.includes(newest.text))
      problems.add(`${path} does not show "${newest.text}", ${(began - newest.answered).toFixed()} ms old`);
    const ofPath = votes.get(path);
    if (!ofPath) return;
    const shown = Number(
      />(\d+)<span class="visually-hidden"> votos a favor/.exec(page.replaceAll("<!-- -->", ""))?.[1],
    );
    const least = ofPath.answered.filter((at) => at < began - OLDEST_MS.page).length;
    if (!(shown >= least && shown <= ofPath.sent))
      problems.add(`${path} shows ${shown} votes instead of ${least} to ${ofPath.sent}`);
  }

  function checkGone(node: TestApp | null, page: string, began: number): void {
    for (const { text, answered, node: writtenOn } of gone.slice(-300)) {
      if (answered > began || !page.includes(text)) continue;
      const age = began - answered;
      counted.oldestText = Math.max(counted.oldestText, age);
      if (writtenOn && node === writtenOn) problems.add(`the writer's node shows "${text}" after ${age.toFixed()} ms`);
      else if (age > OLDEST_MS.text) problems.add(`another node shows "${text}" after ${age.toFixed()} ms`);
    }
  }

  function checkOwner({ person, theme, vote }: Reader, path: string, page: string): void {
    for (const { full_name } of [voter!, opponent!])
      if (page.includes(full_name) !== (full_name === person?.full_name)) problems.add(`${path} with a foreign name`);
    if ((/<html[^>]* data-theme="(\w+)"/.exec(page)?.[1] ?? null) !== theme) problems.add(`${path} in a foreign theme`);
    if (path === "/") return;
    const [up, down] = [...page.matchAll(/class="vote[^>]*aria-pressed="(\w+)"/g)].map(([, pressed]) => pressed);
    if (up !== String(vote === "up") || down !== String(vote === "down")) problems.add(`${path} with a foreign vote`);
  }

  async function read(_: unknown, at: number): Promise<void> {
    const agents = nodes.map(() => new Agent({ keepAlive: true, maxSockets: 1 }));
    for (let turn = at; goes(); turn++) {
      const reader = readers[turn % readers.length]!;
      const node = some(nodes);
      const path = some([...written.keys()]);
      const began = performance.now();
      const page = await get(agents[nodes.indexOf(node)]!, node, path, reader);
      counted.reads++;
      if (page.status !== 200) problems.add(`${path} responds ${page.status}`);
      checkOwner(reader, path, page.text);
      checkAge(path, page.text, began);
      checkGone(node, page.text, began);
    }
    for (const agent of agents) agent.destroy();
  }

  const readBoth = (path: string) => Promise.all(nodes.map((node) => get(connection, node, path, readers[0]!)));

  /** Edits a text while the connections that announce changes are cut. */
  async function cutConnections(): Promise<void> {
    const path = pathOf(cut);
    for (let next = performance.now() + CUT_MS; goes(); ) {
      await pause(20);
      if (performance.now() < next) continue;
      next += CUT_MS;
      const text = `Título antes del corte ${counted.cuts++}`;
      await app.sql("update consultations set title = $2 where id = $1", [cut, text]);
      await pause(OLDEST_MS.text);
      for (const page of await readBoth(path)) expect(page.text).toContain(text);
      await app.sql(
        `with cut as (select count(pg_terminate_backend(pid)) from pg_stat_activity
           where datname = current_database() and application_name = 'divan-pages')
         update consultations set title = 'Título después del corte' from cut where id = $1`,
        [cut],
      );
      gone.push({ text, answered: performance.now(), node: null });
      await hearChanges();
      await pause(OLDEST_MS.text);
      const began = performance.now();
      for (const page of await readBoth(path)) checkGone(null, page.text, began);
    }
  }

  /** Votes, then reads the page as soon as it must show the vote. */
  async function watchVotes(): Promise<void> {
    const path = pathOf(calm!.consultation);
    while (goes()) {
      await readBoth(path);
      await vote(some(nodes), calm!.consultation);
      await pause(OLDEST_MS.page + 10);
      const began = performance.now();
      for (const page of await readBoth(path)) checkAge(path, page.text, began);
    }
  }

  await Promise.all([
    cutConnections(),
    watchVotes(),
    ...Array.from({ length: READERS }, read),
    ...Array.from({ length: WRITERS }, writer),
  ]);
  connection.destroy();
  const hits = nodes.map((node) => node.cache!.counted.hits);
  console.info(JSON.stringify({ ...counted, oldestText: Math.round(counted.oldestText), hits }));
  expect([...problems].slice(0, 20)).toEqual([]);
  const least = SECONDS / 5;
  expect(Math.min(counted.reads, counted.writes)).toBeGreaterThan(least);
  expect(hits[0]! + hits[1]!).toBeGreaterThan(least);
  expect(counted.cuts).toBeGreaterThan(0);
  await hearChanges();
});
