import type { TestUser } from "./app.ts";
import { admin, app } from "./payment-app.ts";

const path = (person: TestUser) => `/admin/psychologists/${person.id}/gold`;

export const goldOf = async (person: TestUser) => (await app.call("GET", path(person), undefined, admin)).body;

export const grantGold = async (person: TestUser, last_day: string, reason = "Un motivo") =>
  app.call("PUT", path(person), { version: (await goldOf(person)).version, last_day, reason }, admin);

export const endGold = async (person: TestUser, reason = "Un motivo") =>
  app.call("DELETE", path(person), { version: (await goldOf(person)).version, reason }, admin);

/** Returns the end of Gold from the database: a number if it is infinity. */
export async function goldUntil({ id }: TestUser) {
  const select = "select gold_until from psychologist_profiles where id = $1";
  return (await app.sql<{ gold_until: Date | number | null }>(select, [id]))[0]!.gold_until;
}
