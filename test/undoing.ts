import { beforeEach } from "vitest";
import { HOUR, MINUTE } from "#shared/time.ts";
import type { TestApp, TestUser } from "./app.ts";

/**
 * The administrator's undo of decisions. The clock is frozen and moved by `wait`. Each test starts without jobs, one
 * minute after the previous one, so that older decisions cannot be undone.
 */
export function undoSteps(app: TestApp, admin: TestUser) {
  let start = Date.now() + HOUR;
  let at = new Date(start);
  const setClock = (milliseconds: number) => {
    at = new Date(milliseconds);
    app.setNow(at);
  };
  beforeEach(async () => {
    await app.sql("delete from pgboss.job");
    start += MINUTE;
    setClock(start);
  });
  return {
    now: () => at,
    wait: (seconds: number) => setClock(at.getTime() + seconds * 1000),
    undo: (id: string) => app.call("POST", `/admin/decisions/${id}/undo`, {}, admin),
    undoable: async () => (await app.call("GET", "/admin/decisions/undoable", undefined, admin)).body,
  };
}
