import { setTimeout } from "node:timers/promises";
import { HOUR, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import { isOutage, logProviderError, ProviderError } from "../../integrations/provider-error.ts";
import { outageSince } from "../checkouts/store.ts";
import { reportProblem, settleProblems } from "../problems/store.ts";
import { providerState, setProviderState } from "./store.ts";

/** After this many readings in a row without an answer a provider is not called for `OUTAGE_PAUSE`. */
const MAX_UNANSWERED = 3;
const OUTAGE_PAUSE = 5 * MINUTE;
/** Pause after a provider refused our credentials. */
const CREDENTIALS_PAUSE = 10 * MINUTE;
/** Longest pause that a server waits for, in milliseconds. Longer pauses are stored and respected by all servers. */
const MAX_WAIT = MINUTE;
/** How often a call is made in one run if the provider asks for short pauses. */
const MAX_TRIES = 5;
/** Longest time for which a provider is not called, even if it asks for more. */
const MAX_PAUSE = HOUR;
/** An outage or a pause is reported to the administrator after this time, refused credentials at once. */
const OUTAGE_LIMIT = HOUR;

/**
 * The result of a call: `outage` if it failed, or was not made, for a reason that says nothing of the call itself; `failed`
 * also for an error that is not the provider's.
 */
type CallResult = "done" | "outage" | "failed";

export type Gate = Awaited<ReturnType<typeof openGate>>;

/** Calls a provider in one run of the worker, and decides by its answers whether it may be called again. */
export async function openGate(context: Context, provider: string) {
  const { db, log } = context;
  const problem = { provider, kind: "unreachable" as const, external_id: provider };
  let paused = (await providerState(db, provider)).paused_until;
  let unanswered = 0;
  let isOpen = false;

  const pausedUntil = () => (paused && paused > context.now() ? paused : null);
  async function pause(span: number): Promise<void> {
    paused = new Date(context.now().getTime() + span);
    await setProviderState(db, provider, { paused_until: paused });
  }
  const report = async () => {
    const row = { ...problem, reason: null, created_at: context.now() };
    if (await reportProblem(db, row)) log.warn({ event: "payment_problem", kind: problem.kind, provider });
  };

  /** @returns the milliseconds after which the call is to be made again in this run, or null */
  async function noteFailure(error: ProviderError): Promise<number | null> {
    logProviderError(log, "reading_failed", error);
    const { kind, status, retryAfterMs } = error;
    if (status === 401) {
      await pause(CREDENTIALS_PAUSE);
      await report();
    } else if (kind !== "unavailable") {
      unanswered = 0;
      isOpen = true;
    } else if (retryAfterMs !== null) {
      if (retryAfterMs <= MAX_WAIT) return retryAfterMs;
      await pause(Math.min(retryAfterMs, MAX_PAUSE));
    }
    return null;
  }

  async function call(make: () => Promise<unknown>): Promise<CallResult> {
    let result: CallResult = "outage";
    for (let tries = 0; tries < MAX_TRIES && !pausedUntil(); tries++) {
      try {
        await make();
        return "done";
      } catch (error) {
        if (!(error instanceof ProviderError)) {
          log.error({ event: "reading_failed", reason: (error as Error).name });
          return "failed";
        }
        result = isOutage(error) ? "outage" : "failed";
        const wait = await noteFailure(error);
        if (wait === null) return result;
        await setTimeout(wait);
      }
    }
    return result;
  }

  return {
    /** Until when it may not be called; null if it may. */
    pausedUntil,
    /** True once a call of this run was answered, so that several may be made at the same time. */
    isOpen: () => isOpen,
    /** Makes a call unless the provider is paused, and again after a short pause that it asks for. */
    call,
    /** The same for a reading: an answer ends an outage, and several readings in a row without one begin a pause. */
    async read(make: () => Promise<unknown>): Promise<CallResult> {
      const result = await call(make);
      if (result === "done") {
        if (!isOpen) await settleProblems(db, problem, context.now());
        unanswered = 0;
        isOpen = true;
      }
      if (result === "outage" && !pausedUntil() && ++unanswered >= MAX_UNANSWERED) await pause(OUTAGE_PAUSE);
      return result;
    },
    /** Ends a run. Reports an outage, or a pause, that has lasted for an hour. */
    async close(): Promise<void> {
      if (isOpen || !(unanswered || pausedUntil())) return;
      const since = await outageSince(db, provider);
      if (since && context.now().getTime() - since.getTime() >= OUTAGE_LIMIT) await report();
    },
  };
}
