import type { TestApp, TestUser } from "./app.ts";
import { consultationVersion } from "./versions.ts";

/** The administrator's removals of consultations, and the authors' weekly limits after them. */
export function removalSteps(app: TestApp, admin: TestUser) {
  const versionOf = (id: string) => consultationVersion(app, admin, id);
  return {
    versionOf,
    remove: async (id: string, as: TestUser | null = admin, version?: string) =>
      app.call("DELETE", `/admin/consultations/${id}`, { version: version ?? (await versionOf(id)) }, as),
    limitOf: async (as: TestUser) => (await app.call("GET", "/weekly-limit", undefined, as)).body,
  };
}
