import type { Context as HonoContext } from "hono";
import { expect, test } from "vitest";
import { limitSender } from "./sender-limits.ts";
import type { ShellEnv } from "./shell.ts";

const started: string[] = [];

/** Sends a request of an account, or of the page cache, that never ends. */
function send(account: string, path: string): void {
  const own = { session: { viewer: { id: account } } };
  const env = account === "page cache" ? { shared: {} } : {};
  const request = { req: { path }, env, get: () => own } as unknown as HonoContext<ShellEnv>;
  void limitSender(request, async () => {
    started.push(`${account} ${path}`);
    await new Promise(() => {});
  });
}

const startedNow = async () => {
  await new Promise((go) => setTimeout(go, 20));
  return started.splice(0);
};

test("runs three requests of a sender, 32 of all, and help lines, which wait only for others of their sender", async () => {
  for (let request = 0; request < 5; request++) send("busy", "/buscar");
  expect(await startedNow()).toHaveLength(3);
  for (let account = 0; account < 40; account++) send(`${account}`, "/buscar");
  expect(await startedNow()).toHaveLength(29);
  for (let request = 0; request < 5; request++) send("busy", "/ayuda");
  expect(await startedNow()).toEqual(Array(3).fill("busy /ayuda"));
  for (let render = 0; render < 5; render++) send("page cache", "/temas");
  send("page cache", "/ayuda");
  expect(await startedNow()).toEqual(["page cache /ayuda"]);
});
