import { existsSync, readFileSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { dataFolder } from "../../e2e/server.ts";
import { startEmbeddedPostgres } from "./embedded.ts";

const data = dataFolder();
const folder = join(data.path, "postgres");
const lock = join(folder, "postmaster.pid");
afterAll(data.remove);

const start = () => startEmbeddedPostgres(data.path, { fsync: "off" });

describe.runIf(process.platform === "linux")("startEmbeddedPostgres", { shuffle: false }, () => {
  test("leaves no folder if initdb is killed, so that the next start succeeds", async () => {
    const starting = start();
    starting.catch(() => {});
    const children = `/proc/${process.pid}/task/${process.pid}/children`;
    const isInitdb = (pid: string) => readFileSync(`/proc/${pid}/cmdline`, "utf8").includes(folder);
    await expect.poll(() => existsSync(join(folder, "PG_VERSION")), { interval: 5 }).toBe(true);
    for (const pid of readFileSync(children, "utf8").trim().split(" "))
      if (isInitdb(pid)) process.kill(Number(pid), "SIGKILL");
    await expect(starting).rejects.toThrow();
    expect(existsSync(folder)).toBe(false);
    await (await start()).stop();
  });

  test("leaves an empty lock file that is younger than 10 s", async () => {
    writeFileSync(lock, "");
    await expect(start()).rejects.toThrow("The embedded PostgreSQL did not start.");
    expect(existsSync(lock)).toBe(true);
  });

  test("removes an empty lock file that is older than 10 s", async () => {
    writeFileSync(lock, "");
    utimesSync(lock, Date.now() / 1000, Date.now() / 1000 - 11);
    await (await start()).stop();
  });

  test("removes a lock file whose process id belongs to another program", async () => {
    writeFileSync(lock, `${process.pid}\n${folder}\n1\n15000\n\n`);
    await (await start()).stop();
  });
});
