import { startEmbeddedPostgres } from "#server/database/embedded.ts";
import { dataFolder } from "../../e2e/server.ts";
import { type App, buildCommit, startApp } from "./processes.ts";

export type Apps = { app: App; against: App | null; administrativeUrl: string; closing: (() => unknown)[] };

/** Runs work on the app and, if a commit is given, on its app, each on a seeded database. Then stops them. */
export async function withApps(
  size: { rows: number; askers: number },
  commit: string | undefined,
  work: (apps: Apps) => Promise<void>,
): Promise<void> {
  const closing: Apps["closing"] = [];
  let stopping: Promise<void> | undefined;
  // After a signal the work fails because its servers stop. The failure must not end the process before they have
  // stopped.
  const stop = () => {
    stopping ??= (async () => {
      for (const close of closing.reverse()) await (async () => close())().catch((error) => console.error(error));
    })();
    return stopping;
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const)
    process.once(signal, () => void stop().finally(() => process.exit(1)));
  try {
    const data = dataFolder();
    closing.push(data.remove);
    const { url: administrativeUrl, stop: stopPostgres } = await startEmbeddedPostgres(data.path, {
      max_connections: "200",
    });
    closing.push(stopPostgres);
    console.log(`Seeding ${size.rows} consultations...`);
    const app = await startApp(administrativeUrl, { name: "app", ...size });
    closing.push(app.stop);
    let against: App | null = null;
    if (commit) {
      const built = buildCommit(commit);
      closing.push(built.remove);
      against = await startApp(administrativeUrl, { name: commit, folder: built.folder, ...size });
      closing.push(against.stop);
    }
    await work({ app, against, administrativeUrl, closing });
  } finally {
    await stop();
  }
}
