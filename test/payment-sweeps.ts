/** Payments that only the sweep detects, with a clock that moves along. Each test file calls `withSweeps()` once. */
import { afterEach, beforeAll } from "vitest";
import type { Context } from "#server/context.ts";
import { openPaymentProviders } from "#server/memberships/providers/all.ts";
import { sweepPayments } from "#server/memberships/sweep/jobs.ts";
import type { Person } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { app, clock, HOUR, later, MINUTE, paypal, withPayments } from "./payment-world.ts";

/** Time at the beginning of each test. */
export const START = new Date("2027-05-10T09:30:00.000Z");

export let context: Context;

/** Opens the application and the providers for a test file. */
export function withSweeps(): void {
  withPayments({ start: START });
  beforeAll(() => {
    // Creates the providers in this process, so that their errors are instances of the same class.
    context = { ...app.context, paymentProviders: openPaymentProviders(app.context.config, app.context.db) };
  });
  afterEach(async () => {
    paypal.events.length = 0;
    // Isolates the tests from each other.
    await app.sql("delete from webhook_events");
    await app.sql("update checkouts set status = 'paid', settled_at = coalesce(settled_at, now()), payer_email = null");
    await app.sql("update psychologist_profiles set subscription_id = null, gold_until = null");
    await app.sql("delete from payment_transactions");
    await app.sql("delete from payment_problems");
    await app.sql("delete from subscriptions");
    await app.sql("delete from payment_sweeps");
    await app.sql("delete from abandoned_checkouts");
  });
}

export const sweep = () => sweepPayments(context);

/** Span of the sweeps every 10 minutes in the short run, in milliseconds. After it, they run every 30 minutes. */
const CLOSE_SWEEPS = 3 * HOUR;

/** Moves the clock and sweeps every 10 minutes like the schedule. The short run later sweeps every 30 minutes. */
export async function sweepFor(span: number) {
  const begin = clock!.getTime();
  for (let elapsed = 0; elapsed < span; elapsed = clock!.getTime() - begin) {
    later((FULL_RUN || elapsed < CLOSE_SWEEPS ? 10 : 30) * MINUTE);
    await sweep();
  }
}

/** Returns the newest membership of a psychologist. */
export const row = async (person: Person) =>
  (
    await app.sql<{
      id: string;
      status: string;
      ended_by: string | null;
      next_billing_date: Date;
      cancel_confirmed_at: Date | null;
      cancel_tries: number;
    }>("select * from subscriptions where psychologist_id = $1 order by created_at desc limit 1", [person.id])
  )[0];

export const checkoutRow = async (id: string) =>
  (
    await app.sql<{ status: string; read_at: Date | null }>("select status, read_at from checkouts where id = $1", [id])
  )[0]!;
