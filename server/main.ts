/** Starts Diván. Runs as TypeScript; the code that handles requests is one build. */
import cluster from "node:cluster";
import { fail, stop } from "./lifetime.ts";

const development = process.argv.includes("--dev");
process.env.NODE_ENV = development ? "development" : "production";

// An unhandled rejection is a bug, but it leaves the same state as a handled one, so the server continues. An exception
// outside of promises may leave a parser or a buffer in an undefined state and ends the process.
process.on("unhandledRejection", (error) => console.error(error));
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => void stop(0));

// A worker loads only what it needs.
const start = cluster.isWorker
  ? (await import("./worker.ts")).startWorker
  : (await import("./primary.ts")).startPrimary;
start(development).catch(fail);
