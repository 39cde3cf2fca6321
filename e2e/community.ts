import type { Page } from "@playwright/test";
import { startPushService } from "#test/fakes/push-service.ts";
import { FULL_RUN } from "#test/full-run.ts";
import { insertUser, type PersonOptions, type TestUser } from "#test/people.ts";
import { test as base, expect, toast } from "./fixtures.ts";
import { ADMIN_EMAIL, currentRun, startPrivateServer } from "./server.ts";
import type { ToastRecorder } from "./toast-recorder.ts";

/** PostgreSQL errors while a test hides a table, a view or a column (`withHidden`). The server logs them as errors. */
const HIDDEN = /"code":"(42P01|42703)"/;

type More = Record<string, unknown>;

/** A server with a private database: a user of each role, two consultations, and a feed with a second page. */
export type Community = Awaited<ReturnType<typeof openCommunity>>;

const TALKED = { title: "Desde que trabajo de noche no duermo de día", country: "Uruguay", category: "Estrés" };

async function openCommunity() {
  const pushService = await startPushService();
  const server = await startPrivateServer(currentRun().administrativeUrl, {
    PUSH_TEST_ORIGIN: pushService.url,
    DONATION_URL: "https://cafe.example.org/divan",
  });
  const { sql } = server;
  const person = (options?: PersonOptions) => insertUser(sql, options);
  /** Calls the API as a user. @throws Error if the response is an error */
  // biome-ignore lint/suspicious/noExplicitAny: what an operation returns is its own affair
  const call = async (as: TestUser, method: string, path: string, body?: More): Promise<any> => {
    const response = await fetch(`${server.url}/api${path}`, {
      method,
      headers: { origin: server.url, cookie: as.cookie, "content-type": "application/json" },
      body: body && JSON.stringify(body),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text ? JSON.parse(text) : null;
  };
  const ask = async (author: TestUser, more: More = {}): Promise<string> =>
    (
      await call(author, "POST", "/consultations", {
        title: "Una pregunta que hago por primera vez",
        content: "La escribo como me sale, y espero que alguien la lea.",
        country: "Chile",
        is_anonymous: false,
        ...more,
      })
    ).id;
  /** Publishes an answer, by default of the psychologist with Gold. @returns its id */
  const answer = async (consultation: string, content = "Te leo con atención.", by = people.gold): Promise<string> =>
    (await call(by, "POST", `/consultations/${consultation}/answers`, { content })).id;

  const people = {
    user: await person({ name: "Úrsula Usuaria" }),
    pending: await person({ type: "psychologist", verified: false, name: "Pedro Pendiente", country: "Chile" }),
    verified: await person({ type: "psychologist", name: "Vera Verificada" }),
    gold: await person({ type: "psychologist", gold: "active", name: "Guido Gold", country: "Argentina" }),
    admin: await person({ email: ADMIN_EMAIL, name: "Alba Administra" }),
  };
  // Without a country and a prefix, the badge adds "MP ".
  await sql("update psychologist_profiles set license_number = '27465', bio = 'Escucho de tarde.' where id = $1", [
    people.verified.id,
  ]);
  // Adds more consultations than a page of the feed.
  await sql(
    `insert into consultations (title, content, country, category, is_anonymous, user_id, created_at)
     select 'Una pregunta de hace días, número ' || n, 'Algo que alguien preguntó hace unos días.', 'México', 'Familia', true, $1,
       now() - make_interval(days => 10, hours => n) from generate_series(1, 25) n`,
    [people.user.id],
  );
  const author = await person({ name: "Aurora Pregunta" });
  const id = await ask(author, { ...TALKED, content: "Hace tres meses que roto turnos.\n\nYa no sé qué hora es." });
  const first = await answer(id, "¿Qué hacías antes de dormir, cuando dormías?");
  await call(people.gold, "PATCH", `/answers/${first}`, {
    content: "¿Qué hacías antes de dormir cuando dormías bien?",
  });
  await answer(id, "Rotar turnos cansa a cualquiera.", people.verified);
  await call(author, "POST", `/answers/${first}/replies`, { content: "Leía un rato. Gracias por preguntar." });

  return {
    url: server.url,
    people,
    pushService,
    /**
     * A named consultation whose author has reached the weekly limit. It has two answers, one of them edited, and a
     * reply.
     */
    threadFixture: { id, title: TALKED.title, author },
    sql,
    person,
    call,
    ask,
    answer,
    async close() {
      await server.close({ expected: HIDDEN });
      await pushService.close();
    },
  };
}

/** Tests on a server with a small community for each worker. They may change its database. */
export const test = base.extend<object, { community: Community }>({
  community: [
    // biome-ignore lint/correctness/noEmptyPattern: Playwright reads from the pattern what a fixture needs
    async ({}, use) => {
      const community = await openCommunity();
      await use(community);
      await community.close();
    },
    { scope: "worker", timeout: 300_000 },
  ],

  baseURL: async ({ community }, use) => use(community.url),

  cookieOf: async ({ community }, use) =>
    use(async (role) => community.people[role as keyof Community["people"]].cookie),
});

export const detail: typeof test.only = FULL_RUN ? test : test.skip;

export { expect };

/**
 * Waits for a toast. Finds it even if a busy machine has already removed it (`recordToasts`). Without JavaScript the
 * toast is part of the page.
 */
export const expectToast = (page: Page, words: string): Promise<void> =>
  expect
    .poll(
      async () => {
        // evaluate() throws during a navigation.
        const recorded = page.evaluate((text) => (window as ToastRecorder).takeToast?.(text) ?? false, words);
        return (await recorded.catch(() => false)) || toast(page, words).first().isVisible();
      },
      { message: `a toast: ${words}` },
    )
    .toBe(true);

/** Fulfils a page's requests like a broken proxy, so that they do not reach the server. */
export async function breakRequests(page: Page, path: RegExp, status = 503): Promise<void> {
  await page.route(path, (route) =>
    route.fulfill({ status, contentType: "text/html", body: "<h1>Service Unavailable</h1>" }),
  );
}
