import { CompiledQuery } from "kysely";
import { afterAll, beforeAll } from "vitest";
import { type Databases, openDatabases } from "#server/database/handles.ts";
import { setUpOnce, setUpTestApp } from "./suite-setup.ts";

/** Opens an application, separate handles of its database, and a list of the connections that these handles lost. */
export function testDatabases() {
  const app = setUpTestApp();
  const lost: Error[] = [];
  // Sets the database's time zone to a zone other than UTC.
  beforeAll(() =>
    app.sql(`alter database ${new URL(app.databaseUrl).pathname.slice(1)} set timezone to 'America/Lima'`),
  );
  const databases: Databases = setUpOnce(async () =>
    openDatabases(app.databaseUrl, (error) => lost.push(error), { private: 2, public: 2 }),
  );
  afterAll(() => databases.close());
  /** Runs a statement through the handle that reads public data only. */
  const publicly = async (text: string) =>
    (await databases.publicDb.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  return { app, databases, lost, publicly };
}
