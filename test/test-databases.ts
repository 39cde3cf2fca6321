import { CompiledQuery } from "kysely";
import { afterAll, beforeAll } from "vitest";
import { type Databases, openDatabases } from "#server/database/handles.ts";
import { madeBefore, testApp } from "./made-before.ts";

/** An application, handles of our own on its database, and the connections that these have lost. */
export function testDatabases() {
  const app = testApp();
  const lost: Error[] = [];
  // A PostgreSQL whose own time zone is not UTC.
  beforeAll(() =>
    app.sql(`alter database ${new URL(app.databaseUrl).pathname.slice(1)} set timezone to 'America/Lima'`),
  );
  const databases: Databases = madeBefore(async () =>
    openDatabases(app.databaseUrl, (error) => lost.push(error), undefined, { private: 2, public: 2 }),
  );
  afterAll(() => databases.close());
  /** Asks something through the handle for what everyone may see. */
  const publicly = async (text: string) =>
    (await databases.publicDb.executeQuery<Record<string, unknown>>(CompiledQuery.raw(text))).rows;
  return { app, databases, lost, publicly };
}
