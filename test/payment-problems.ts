import type { TestUser } from "./app.ts";
import { admin, app } from "./payment-app.ts";

export type Listed = { id: string; version: string; kind: string; created_at: string; can: { tie: boolean } };

const problems = async (): Promise<(Listed & { psychologist: { id: string } | null })[]> =>
  (await app.call("GET", "/admin/payments", undefined, admin)).body.problems;

/** Returns the first problem of a psychologist's payments, as shown to the administrator. */
export const problemOf = async (person: TestUser): Promise<Listed> =>
  (await problems()).find((one) => one.psychologist?.id === person.id)!;

export const problemWith = async (id: string): Promise<Listed | undefined> =>
  (await problems()).find((one) => one.id === id);

/** Inserts a problem like the sweep does, one day after an event whose subject belongs to no psychologist. */
export const reportUnmatched = async (provider: string, external_id: string): Promise<string> =>
  (
    await app.sql<{ id: string }>(
      "insert into payment_problems (kind, provider, external_id, created_at) values ('unmatched', $1, $2, now()) returning id",
      [provider, external_id],
    )
  )[0]!.id;

export const readNow = (id: string) => app.call("POST", `/admin/payments/${id}/reading`, {}, admin);

export const tie = (id: string, email: string) => app.call("PUT", `/admin/payments/${id}/owner`, { email }, admin);

export const handle = ({ id, version }: { id: string; version: string }) =>
  app.call("PUT", `/admin/payments/${id}/handling`, { version }, admin);
