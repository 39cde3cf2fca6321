import { request } from "node:http";
import { describe, expect, test, vi } from "vitest";
import type { TestUser } from "#test/app.ts";
import { withHidden } from "#test/hidden.ts";
import { askIgnoringWeeklyLimit, consentingUser, exportData, writeLongReplies } from "#test/own-data.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { publishAnswer } from "#test/threads.ts";

const app = setUpTestApp({
  overrides: {
    rateLimits: { check: async () => {}, spend: async () => {}, trySpend: async () => null, reset: async () => {} },
  },
});

/** A user with an export of 20 kB per reply. */
async function prolific(replies: number): Promise<TestUser> {
  const [person, psychologist] = [await consentingUser(app), await app.person({ type: "psychologist" })];
  const answer = await publishAnswer(app, await askIgnoringWeeklyLimit(app, person), psychologist);
  await writeLongReplies(app, answer, person, replies);
  return person;
}

/** An export whose first bytes were read. The rest waits until `read` is called. */
type Download = {
  status: number;
  headers: Record<string, unknown>;
  /**
   * Reads to the end.
   * @returns the size in bytes
   * @throws Error if the connection is aborted
   */
  read(): Promise<number>;
  hangUp(): void;
};

/** Begins an export on a new connection and stops reading after the first bytes. */
const begin = (person: TestUser) =>
  new Promise<Download>((done, fail) => {
    const headers = { cookie: person.cookie, origin: app.url, "accept-encoding": "gzip" };
    const sent = request(`${app.url}/cuenta/datos`, { method: "POST", agent: false, headers });
    sent.on("error", fail);
    sent.on("response", (response) => {
      response.once("readable", () => {
        let bytes = (response.read() as Buffer | null)?.length ?? 0;
        done({
          status: response.statusCode!,
          headers: response.headers,
          hangUp: () => void response.on("error", () => {}).destroy(),
          async read() {
            for await (const chunk of response) bytes += (chunk as Buffer).length;
            return bytes;
          },
        });
      });
    });
    sent.end();
  });

/** Expects an aborted connection. The HTTP library prints the reason. */
async function expectAborted(download: Download): Promise<void> {
  await expect(download.read()).rejects.toThrow(/aborted/);
  vi.mocked(console.error).mockClear();
}

describe("POST /account/export", () => {
  test("sends an export while the client of another one does not read", async () => {
    const [person, other] = [await prolific(1_000), await consentingUser(app)];
    const download = await begin(person);
    expect(download.status).toBe(200);
    expect((await exportData(app, other)).status).toBe(200);
    expect(await download.read()).toBeGreaterThan(5_000_000);
  });

  test("reads no further than its client and stops when the client disconnects", async () => {
    const download = await begin(await prolific(1_000));
    const batches = async () =>
      (await app.statementsDuring(() => new Promise((go) => setTimeout(go, 500)))).filter((text) =>
        text.includes("from consultation_replies"),
      ).length;
    await expect.poll(batches).toBe(0);
    download.hangUp();
    expect(await batches()).toBe(0);
  });

  test("aborts the connection if the database fails midway", async () => {
    const download = await begin(await prolific(1_000));
    expect(download).toMatchObject({ status: 200, headers: { "cache-control": "private, no-store" } });
    await withHidden(app, "table", "checkouts", () => expectAborted(download));
    expect(app.log.join("")).toContain('"export_broken"');
  });

  test("aborts the connection if the account is deleted midway", async () => {
    const person = await prolific(1_000);
    const download = await begin(person);
    await app.sql("delete from profiles where id = $1", [person.id]);
    await expectAborted(download);
  });
});
