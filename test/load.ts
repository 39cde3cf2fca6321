/** Readers and writers of a real server whose database fails, and a record of the acknowledged writes. */
import type pg from "pg";
import { withClient } from "#server/database/handles.ts";
import { insertUser, type TestUser } from "./people.ts";

type Server = { url: string };

export const pause = (milliseconds: number) => new Promise<void>((go) => setTimeout(go, milliseconds));

export const connected = <Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> =>
  withClient({ connectionString: url, connectionTimeoutMillis: 10_000 }, work);

export const addPeople = (url: string, count: number): Promise<TestUser[]> =>
  connected(url, async (client) => {
    const people: TestUser[] = [];
    await client.query("begin");
    for (let number = 0; number < count; number++)
      people.push(await insertUser((text, values) => client.query(text, values)));
    await client.query("commit");
    return people;
  });

export type Answer = { what: string; status: number; from: number; until: number; text: string };

/** Sends a request from one of many IP addresses. Status 0 means no response. */
async function ask(
  server: Server,
  what: string,
  method: string,
  path: string,
  { as, body, address }: { as?: TestUser; body?: unknown; address: string },
): Promise<Answer> {
  const from = Date.now();
  try {
    const response = await fetch(server.url + path, {
      method,
      redirect: "manual",
      headers: {
        "x-forwarded-for": address,
        ...(as ? { cookie: as.cookie } : {}),
        ...(body ? { "content-type": "application/json", origin: server.url } : {}),
      },
      body: body ? JSON.stringify(body) : undefined,
      signal: AbortSignal.timeout(60_000),
    });
    const text = await response.text();
    return { what, status: response.status, from, until: Date.now(), text };
  } catch (error) {
    const { message, cause } = error as Error;
    return { what, status: 0, from, until: Date.now(), text: `${message} ${cause}` };
  }
}

export type Load = ReturnType<typeof putLoad>;

const addressOf = (number: number) => `198.18.${number >> 8}.${number & 255}`;

/** Starts readers, writers, and one visitor who requests /ayuda repeatedly. */
export function putLoad(
  server: Server,
  people: TestUser[],
  consultations: string[],
  count: { readers: number; writers: number },
) {
  let running = true;
  const made = {
    /** All responses so far, except responses of /ayuda. */
    answers: [] as Answer[],
    help: [] as Answer[],
    /** Votes that the server acknowledged: pairs of user and consultation. */
    votes: new Set<string>(),
  };

  async function reader(number: number): Promise<void> {
    const paths = ["/", "/api/consultations", `/consulta/${consultations[number]}`, "/api/session", "/auth"];
    for (let turn = number; running; turn++) {
      const as = turn % 2 ? people[(number * 7 + turn) % people.length] : undefined;
      const path = paths[turn % paths.length]!;
      made.answers.push(await ask(server, `GET ${path}`, "GET", path, { as, address: addressOf(number) }));
      // A refused connection fails immediately. Without a pause, a reader would send thousands of requests per second.
      await pause(50);
    }
  }

  async function writer(number: number): Promise<void> {
    // Each writer rotates through its users, so that each user votes once on each consultation.
    const mine = Math.floor(people.length / count.writers);
    for (let turn = 0; running; turn++) {
      const nth = number * mine + (turn % mine);
      const as = people[nth]!;
      // The writers begin at different consultations, so that none waits for another's lock.
      const target = consultations[(number + Math.floor(turn / mine)) % consultations.length]!;
      const what = { as, body: { vote: "up" }, address: addressOf(1_000 + nth) };
      const answer = await ask(server, "PUT vote", "PUT", `/api/consultations/${target}/vote`, what);
      made.answers.push(answer);
      if (answer.status === 200) made.votes.add(`${as.id} ${target}`);
      else await pause(20);
    }
  }

  async function inNeed(): Promise<void> {
    for (let turn = 0; running; turn++) {
      const as = turn % 2 ? people[turn % people.length] : undefined;
      const path = turn % 3 === 2 ? "/ayuda.data" : "/ayuda";
      made.help.push(await ask(server, `GET ${path}`, "GET", path, { as, address: addressOf(900) }));
      await pause(30);
    }
  }

  const readers = Array.from({ length: count.readers }, (_, number) => reader(number));
  const writers = Array.from({ length: count.writers }, (_, number) => writer(number));
  const all = [...readers, ...writers, inNeed()];
  return {
    ...made,
    async end() {
      running = false;
      await Promise.all(all);
    },
  };
}

/** Returns the number of acknowledged votes that the database lacks. */
export const lost = (url: string, { votes }: Load): Promise<number> =>
  connected(url, async (client) => {
    const { rows } = await client.query("select user_id || ' ' || consultation_id as vote from consultation_votes");
    const stored = new Set(rows.map(({ vote }) => vote));
    return [...votes].filter((vote) => !stored.has(vote)).length;
  });

/** True if the response is a 503 in Spanish with, on a page, the link to the help lines. */
export const isKindRefusal = ({ status, text }: Answer) =>
  status === 503 && (/^\{"code":"\w+"/.test(text) || (/<html lang="es"/.test(text) && /href="\/ayuda"/.test(text)));
export const shown = (answers: Answer[]) =>
  answers.slice(0, 5).map(({ what, status, text }) => `${what}: ${status} ${text.slice(0, 200)}`);
