import { DAY, HOUR, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import type { PaymentProvider } from "../../integrations/payment-provider.ts";
import { type Job, workAt } from "../../jobs.ts";
import { claimDueCheckout, lastReadCheckout, postponeNoted } from "../checkouts/store.ts";
import { PAYMENT_WORK } from "../queues.ts";
import { noteFailure, readCheckout } from "./checkout.ts";
import { resolveEvent } from "./events.ts";
import { type Gate, openGate } from "./gate.ts";
import { claimEvent, insertEvents, providerState, setProviderState } from "./store.ts";

/** How many calls one run makes to a provider at the same time: enough after an outage, few enough for the limits. */
export const PARALLEL_CALLS = 8;
/** The same for events, which do not show whether the provider answers: many need no call. */
const PARALLEL_EVENTS = 4;
/** How long a run begins new readings; its job expires a minute later. */
const RUN_TIME = 8 * MINUTE;
/** A checkout that is being read is due again after this time, should the server stop. */
const LEASE = 5 * MINUTE;

/** A provider's list of events is read this often, from an hour before the last time: it may be completed late. */
const EVENT_LIST_INTERVAL = 10 * MINUTE;
const EVENT_LIST_OVERLAP = HOUR;
/** Providers repeat an event for three days; older events were missed while this server was down. */
const EVENT_LIST_REACH = 3 * DAY;
/** Younger events have their webhook request. */
const MIN_EVENT_AGE = 5 * MINUTE;

/**
 * Does what is due at every provider: finds the checkouts of webhook events, then reads the checkouts that are due, the
 * longest due first (specification, section 4.3).
 */
export async function workPayments(context: Context): Promise<void> {
  const providers = [...context.paymentProviders.values()].filter(({ name }) => name !== "test");
  await Promise.all(providers.map((provider) => workAtProvider(context, provider)));
}

async function workAtProvider(context: Context, provider: PaymentProvider): Promise<void> {
  const gate = await openGate(context, provider.name);
  const deadline = context.now().getTime() + RUN_TIME;
  const hasTime = () => context.now().getTime() < deadline;
  await gate.call(() => readMissedEvents(context, provider));
  const resolveNext = async () => hasTime() && (await resolveNextEvent(context, provider.name, gate));
  await inParallel(PARALLEL_EVENTS, resolveNext);
  const readNext = async () => hasTime() && (await readNextCheckout(context, provider.name, gate));
  // One at a time until the provider has answered.
  while (!gate.isOpen() && (await readNext()));
  if (gate.isOpen()) await inParallel(PARALLEL_CALLS, readNext);
  await gate.close();
}

/** Finds the checkout of the oldest event. @returns false without an event, or without an answer: readings show an outage */
async function resolveNextEvent(context: Context, provider: string, gate: Gate): Promise<boolean> {
  const event = gate.pausedUntil() ? undefined : await claimEvent(context.db, provider, context.now());
  if (!event) return false;
  // The lookup of one event may always fail, so it does not count as a reading.
  return (await gate.call(() => resolveEvent(context, event))) !== "outage";
}

/** Reads the checkout that has been due the longest, or notes that it cannot be read. @returns false if none is due */
async function readNextCheckout(context: Context, provider: string, gate: Gate): Promise<boolean> {
  const { db } = context;
  const now = context.now();
  const paused = gate.pausedUntil();
  if (paused) await postponeNoted(db, provider, now, paused);
  const claimed = await claimDueCheckout(db, provider, now, new Date(now.getTime() + LEASE));
  if (!claimed) return false;
  const { id } = claimed;
  const read = (id: string) => gate.read(() => readCheckout(context, id));
  let result = await read(id);
  const other = result === "outage" && !gate.pausedUntil() && (await lastReadCheckout(db, provider, id));
  // It is no outage if another checkout gets an answer, and this one gets none a second time.
  const isAlone = other && (await read(other.id)) !== "outage";
  if (isAlone) result = await read(id);
  // During a pause every due checkout is noted without a call: its Gold lasts on.
  if (result !== "done") await noteFailure(context, id, result === "outage" && !isAlone, gate.pausedUntil());
  return true;
}

/** Repeats a step until it finds nothing to do, several at the same time. */
async function inParallel(lanes: number, step: () => Promise<boolean>): Promise<void> {
  const lane = async () => {
    while (await step());
  };
  await Promise.all(Array.from({ length: lanes }, lane));
}

/** Stores the events in the provider's list, if it has one, that were never delivered here. */
async function readMissedEvents({ db, now }: Context, { name, missedEvents }: PaymentProvider): Promise<void> {
  const at = now();
  const { events_synced_until: until } = await providerState(db, name);
  if (!missedEvents || (until && at.getTime() - until.getTime() < EVENT_LIST_INTERVAL)) return;
  const from = new Date(Math.max(at.getTime() - EVENT_LIST_REACH, (until?.getTime() ?? 0) - EVENT_LIST_OVERLAP));
  const events = await missedEvents(from, at);
  const missed = events.flatMap(({ id, subject, created_at }) => {
    const isRecent = created_at && created_at.getTime() > at.getTime() - MIN_EVENT_AGE;
    return subject && !isRecent ? [{ id, subject }] : [];
  });
  if (missed.length) await insertEvents(db, name, missed, at);
  await setProviderState(db, name, { events_synced_until: at });
}

export const membershipJobs: Job[] = [workAt("* * * * *", PAYMENT_WORK, { pollingIntervalSeconds: 1 }, workPayments)];
