/** Information that the lengths of encrypted responses reveal to others on the same network (docs/decisions/0017). */
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { get, type IncomingMessage } from "node:http";
import { beforeAll, describe, expect, test } from "vitest";
import type { TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { rawRequest } from "./raw-request.ts";
import { setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, publishReply } from "./threads.ts";

const app = setUpTestApp();

/** Size of a response on the wire in bytes, including its headers. */
async function lengthOf(path: string, { cookie }: TestUser): Promise<number> {
  const headers = { cookie, "accept-encoding": "gzip, deflate, br" };
  const [response] = (await once(get(app.url + path, { agent: false, headers }), "response")) as [IncomingMessage];
  await once(response.resume(), "end");
  return response.socket.bytesRead;
}

type Asked = { id: string; author: TestUser };
const CONSULTATIONS = 20;
const TRIALS = 1_000;
const WORDS = "anoche volví a quedarme sin dormir porque pienso todo el tiempo en mi trabajo y en mi madre".split(" ");

let asked: Asked[];
let attacker: TestUser;

const words = (count: number) =>
  Array.from({ length: count }, () => WORDS[Math.floor(Math.random() * WORDS.length)]).join(" ");

/** Creates a new session of a user for each trial, because the padding depends on the session. */
async function newSession(person: TestUser): Promise<TestUser> {
  const id = randomUUID();
  await app.sql(
    `insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at)
     select $1, account_id, secret_hash, created_at, seen_at, expires_at from sessions where account_id = $2 limit 1`,
    [id, person.id],
  );
  return { ...person, cookie: person.cookie.replace(/sid=[^.]+/, `sid=${id}`) };
}

beforeAll(async () => {
  attacker = await app.person();
  const psychologist = await app.person({ type: "psychologist", gold: "active" });
  asked = await Promise.all(
    Array.from({ length: CONSULTATIONS }, async (_, at) => {
      const author = await app.person();
      const size = 6 + at * 40;
      const id = await ask(app, author, {
        title: `Consulta ${words(1 + (at % 15))}`,
        content: `Una consulta. ${words(size)}`,
      });
      if (at % 2) {
        const answer = await publishAnswer(app, id, psychologist, words(30 + at));
        for (let n = 0; n < at % 4; n++) await publishReply(app, answer, attacker, words(12));
      }
      return { id, author };
    }),
  );
});

const CHANNELS: Record<string, (id: string) => string> = {
  "the document of the consultation": (id) => `/consulta/${id}`,
  "the data of the consultation": (id) => `/consulta/${id}.data`,
  "the API's consultation": (id) => `/api/consultations/${id}`,
  "the document of the feed": () => "/",
  "the data of the feed": () => "/_.data",
  "the document of the profile": () => "/perfil",
  "the data of the profile": () => "/perfil.data",
  "the API's own consultations": () => "/api/profile/consultations",
  "a link to the feed with the consultation's id": (id) => `/?x=${id}`,
  "a link to the profile with the consultation's id": (id) => `/perfil?x=${id}`,
};

/**
 * Difference between a length and the length for an account without consultations, and whether the viewer is the
 * author.
 */
type Trial = { difference: number; isAuthor: boolean };

/** Lets the author and another user open each page in turn. Half of the others are authors of other consultations. */
async function trials(path: (id: string) => string): Promise<Trial[]> {
  const own = new Map<string, number>();
  const found: Trial[] = [];
  for (let at = 0; at < TRIALS; at++) {
    const pair = Math.floor(at / 2);
    const one = asked[pair % CONSULTATIONS]!;
    const isAuthor = at % 2 === 0;
    const other = pair % 2 ? asked[(pair + 7) % CONSULTATIONS]!.author : await app.person();
    const victim = await newSession(isAuthor ? one.author : other);
    if (!own.has(one.id)) own.set(one.id, await lengthOf(path(one.id), attacker));
    found.push({ isAuthor, difference: (await lengthOf(path(one.id), victim)) - own.get(one.id)! });
  }
  return found;
}

/** Returns the share of correct guesses with a threshold learned from other trials. */
function share(learned: Trial[], judged: Trial[]): number {
  const right = (all: Trial[], from: number, longer: boolean) =>
    all.filter(({ difference, isAuthor }) => (difference >= from === longer) === isAuthor).length / all.length;
  const rules = [...new Set(learned.map((trial) => trial.difference))].flatMap((from) =>
    [true, false].map((longer) => ({ from, longer, right: right(learned, from, longer) })),
  );
  const best = rules.reduce((a, b) => (b.right > a.right ? b : a));
  return right(judged, best.from, best.longer);
}

describe("an attacker who sees only lengths", () => {
  test.runIf(FULL_RUN).each(Object.entries(CHANNELS))(
    "guesses the author no better than by chance from %s",
    async (name, path) => {
      const right = share(await trials(path), await trials(path));
      console.info(`${name}: ${(right * 100).toFixed(1)} % of ${TRIALS} guesses right`);
      expect(right).toBeLessThanOrEqual(0.6);
    },
  );

  /** Length of a response in a new session of a consultation's author, and the same again. */
  async function lengthInSession(path: string, author: TestUser): Promise<number> {
    const { cookie } = await newSession(author);
    const read = () => rawRequest(app, path, { cookie, "accept-encoding": "gzip, deflate, br" });
    const [{ headers, body }, again] = [await read(), await read()];
    expect(headers["cache-control"]).toBe("private, no-store, no-transform");
    expect(again.body.length).toBe(body.length);
    return body.length;
  }

  test.each(Object.entries(CHANNELS))("sees only whole steps in %s", async (_, path) => {
    const { id, author } = asked[0]!;
    const step = /\/(perfil|profile)/.test(path(id)) ? 8_192 : path(id).startsWith("/api/") ? 256 : 4_096;
    expect((await lengthInSession(path(id), author)) % step).toBe(0);
  });

  test.each(["gzip;q=0", "gzip;q=0, *", "deflate", "*"])(
    "sees no compression for Accept-Encoding: %s",
    async (encodings) => {
      const { status, headers } = await rawRequest(app, "/", { cookie: attacker.cookie, "accept-encoding": encodings });
      expect([status, headers["content-encoding"]]).toEqual([200, undefined]);
      expect(headers.vary).toContain("Accept-Encoding");
    },
  );

  test("sees steps that start elsewhere in each session", async () => {
    const differences = asked.map(async ({ id, author }) => {
      const lengths: number[] = [];
      for (let session = 0; session < 6; session++)
        lengths.push(await lengthInSession(`/api/consultations/${id}`, author));
      return Math.max(...lengths) - Math.min(...lengths);
    });
    expect(new Set(await Promise.all(differences))).toContain(256);
  });
});
