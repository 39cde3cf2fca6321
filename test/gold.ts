/** What the administrator does about the Gold of a psychologist, by the API. */
import type { Person } from "./app.ts";
import { admin, app } from "./payment-world.ts";

const path = (person: Person) => `/admin/psychologists/${person.id}/gold`;

/** The Gold of a psychologist as the administrator is shown it. */
export const goldOf = async (person: Person) => (await app.call("GET", path(person), undefined, admin)).body;

export const grantGold = async (person: Person, last_day: string, reason = "Un motivo") =>
  app.call("PUT", path(person), { version: (await goldOf(person)).version, last_day, reason }, admin);

export const endGold = async (person: Person, reason = "Un motivo") =>
  app.call("DELETE", path(person), { version: (await goldOf(person)).version, reason }, admin);

/** When Gold ends, as the database has it: a number for infinity. */
export const goldUntil = async (person: Person) =>
  (
    await app.sql<{ gold_until: Date | number | null }>("select gold_until from psychologist_profiles where id = $1", [
      person.id,
    ])
  )[0]!.gold_until;
