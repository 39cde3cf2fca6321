/**
 * Loads the demo community into the migrated database of DATABASE_URL and prints its accounts. The server itself loads
 * it only into its embedded database.
 */
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type * as AppModule from "#server/app.ts";
import { readConfig } from "#server/config.ts";

const build = join(import.meta.dirname, "..", "build");
const module = (await import(pathToFileURL(join(build, "server", "index.js")).href)) as typeof AppModule;
const config = readConfig(process.env);
const app = await module.openApp({
  config,
  databaseUrl: config.databaseUrl!,
  workers: false,
  clientFolder: join(build, "client"),
});
console.log((await module.loadDemo(app.context)).join("\n"));
await app.close();
