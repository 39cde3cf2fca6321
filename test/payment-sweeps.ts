/** Payments that only the worker sees; a clock that moves with it. A test file calls `withSweeps()` once. */
import { afterEach } from "vitest";
import { HOUR, MINUTE } from "#shared/time.ts";
import { FULL_RUN } from "./full-run.ts";
import { app, clock, paypal, withPayments, work } from "./payment-app.ts";

const START = new Date("2027-05-10T09:30:00.000Z");

export function withSweeps(): void {
  withPayments({ start: START });
  afterEach(async () => {
    paypal.events.length = 0;
    // So that no test reads what another has left open.
    await app.sql("update psychologist_profiles set subscription_id = null, gold_until = null");
    for (const table of ["webhook_events", "payment_transactions", "payment_problems", "checkouts", "payment_sweeps"])
      await app.sql(`delete from ${table}`);
  });
}

/** The worker, which also reads the list of events if it is time for that. */
export const sweep = work;

/** Span of the sweeps every 10 minutes in the short run, in milliseconds. After it, they run every 30 minutes. */
const CLOSE_SWEEPS = 3 * HOUR;

/** Moves the clock and sweeps every 10 minutes like the schedule. The short run later sweeps every 30 minutes. */
export async function sweepFor(span: number) {
  const begin = clock!.getTime();
  for (let elapsed = 0; elapsed < span; elapsed = clock!.getTime() - begin)
    await sweep((FULL_RUN || elapsed < CLOSE_SWEEPS ? 10 : 30) * MINUTE);
}

/** The kinds of the open problems of all psychologists and providers. */
export const openProblems = async () =>
  (await app.sql<{ kind: string }>("select kind from payment_problems where settled_at is null order by kind")).map(
    ({ kind }) => kind,
  );
export const checkoutRow = async (id: string) =>
  (
    await app.sql<{ state: string; read_at: Date | null; due_at: Date | null; is_paid: boolean }>(
      "select state, read_at, due_at, status is not null as is_paid from checkouts where id = $1",
      [id],
    )
  )[0]!;
