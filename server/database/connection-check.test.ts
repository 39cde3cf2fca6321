import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { setUpTestApp } from "#test/suite-setup.ts";
import { checkConnections, checkPublicConnections } from "./connection-check.ts";
import { SESSION_SETTINGS } from "./handles.ts";

const app = setUpTestApp();
const ROLES = ["owner", "reader", "unset"].map((name) => `divan_${name}_${randomUUID().slice(0, 8)}`);
/** The last is a reader without settings. */
const [OWNER, READER, UNSET_READER] = ROLES as [string, string, string];
/** URL of the test's database for a user whose password is the user's name. */
const urlOf = (user: string) => {
  const url = new URL(app.databaseUrl);
  url.username = user;
  url.password = user;
  return url.href;
};
const databaseName = () => new URL(app.databaseUrl).pathname.slice(1);

/** Sets the settings that a server behind a pooler requires for a user. */
async function setSettings(user: string): Promise<void> {
  for (const [name, value] of Object.entries(SESSION_SETTINGS))
    if (!name.startsWith("tcp_"))
      await app.sql(`alter role ${user} in database ${databaseName()} set ${name} = '${value}'`);
}

/** Without a pooler, connections without requested settings behave like connections of a pooler. */
const check = (pooledUrl: string, directUrl = app.databaseUrl) =>
  checkConnections(pooledUrl, { directUrl, publicUrl: urlOf(READER) });
const checkPublic = (publicUrl: string) =>
  checkPublicConnections(urlOf(OWNER), { directUrl: app.databaseUrl, publicUrl });

beforeAll(async () => {
  // Each setting differs from the required value.
  await app.sql(`alter database ${databaseName()} set timezone to 'America/Lima'`);
  await app.sql(`create role ${OWNER} login password '${OWNER}'`);
  for (const role of [READER, UNSET_READER])
    await app.sql(`create role ${role} login password '${role}' in role divan_public`);
});
afterAll(async () => {
  for (const role of ROLES) await app.sql(`drop owned by ${role}`);
  for (const role of ROLES) await app.sql(`drop role ${role}`);
});

test("start without a pooler accepts connections that get their settings", async () => {
  await checkConnections(app.databaseUrl, null);
  await checkPublicConnections(app.databaseUrl, null);
});

describe("start with a pooler", () => {
  test("refuses connections without settings, then accepts them after the named statements ran", async () => {
    const refusal = await check(urlOf(OWNER)).catch((error: Error) => error.message);
    expect(refusal).toMatch(/^DATABASE_URL: connections lack settings/);
    const statements = (refusal as string).split("\n").slice(1);
    expect(statements).toHaveLength(4);
    expect(statements[0]).toBe(
      `alter role "${OWNER}" in database "${databaseName()}" set statement_timeout = '3500ms';`,
    );
    for (const statement of statements) await app.sql(statement);
    await check(urlOf(OWNER));
  });

  test("refuses DATABASE_DIRECT_URL if it refers to another database or cannot be reached", async () => {
    await setSettings(OWNER);
    const direct = (change: Partial<URL>) => Object.assign(new URL(app.databaseUrl), change).href;
    await expect(check(urlOf(OWNER), direct({ pathname: "/postgres" }))).rejects.toThrow(
      "DATABASE_DIRECT_URL refers to another database than DATABASE_URL.",
    );
    await expect(check(urlOf(OWNER), direct({ port: "1" }))).rejects.toThrow(
      /^DATABASE_DIRECT_URL: the database cannot be reached/,
    );
  });

  test("refuses a user of public reads without settings", async () => {
    const refusal = await checkPublic(urlOf(UNSET_READER)).catch((error: Error) => error.message);
    expect(refusal).toMatch(/^DATABASE_PUBLIC_URL: connections lack settings/);
    expect((refusal as string).split("\n")).toHaveLength(1 + 5);
  });

  describe("with a user of public reads that has settings", () => {
    beforeAll(async () => {
      await setSettings(READER);
      await app.sql(`alter role ${READER} in database ${databaseName()} set search_path = visible`);
    });

    test("accepts the user with the rights of divan_public only", async () => {
      await checkPublic(urlOf(READER));
    });

    test("refuses the owner of the tables", async () => {
      await expect(checkPublic(app.databaseUrl)).rejects.toThrow(/^DATABASE_PUBLIC_URL: .*can read the authors/);
    });

    const owner = () => new URL(app.databaseUrl).username;
    test.each([
      ["a column of a table", () => "select (user_id) on consultations", ""],
      ["the owner's role", owner, ""],
      ["the owner's role, which it has to take first", owner, " with inherit false"],
    ])("refuses the user with this additional right: %s", async (_, right, more) => {
      await app.sql(`grant ${right()} to ${READER}${more}`);
      try {
        await expect(checkPublic(urlOf(READER))).rejects.toThrow(/^DATABASE_PUBLIC_URL: .*can read the authors/);
      } finally {
        await app.sql(`revoke ${right()} from ${READER}`);
      }
      await checkPublic(urlOf(READER));
    });
  });
});
