import { setTimeout } from "node:timers/promises";
import { HOUR, MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import { logProviderError, type ProviderError } from "../../integrations/provider-error.ts";
import { outageSince } from "../checkouts/store.ts";
import { reportProblem, settleProblems } from "../problems/store.ts";
import { providerState, setProviderState } from "./store.ts";

/** After this many readings in a row without an answer a provider is not called for `OUTAGE_PAUSE`. */
const MAX_FAILURES = 3;
const OUTAGE_PAUSE = 5 * MINUTE;
/** Pause after a provider refused our credentials. */
const CREDENTIALS_PAUSE = 10 * MINUTE;
/** Longest pause that a server waits for, in milliseconds. Longer pauses are stored and respected by all servers. */
const MAX_WAIT = MINUTE;
/** Longest time for which a provider is not called, even if it asks for more. */
const MAX_PAUSE = HOUR;
/** An outage or a pause is reported to the administrator after this time, refused credentials at once. */
const OUTAGE_LIMIT = HOUR;

export type Gate = Awaited<ReturnType<typeof openGate>>;

/** Decides in one run of the worker whether a provider may be called now, by its answers. */
export async function openGate(context: Context, provider: string) {
  const { db, log } = context;
  let paused = (await providerState(db, provider)).paused_until;
  let failures = 0;
  let isOpen = false;
  const problem = { provider, kind: "unreachable" as const, external_id: provider };

  async function pause(span: number): Promise<void> {
    paused = new Date(context.now().getTime() + span);
    await setProviderState(db, provider, { paused_until: paused });
  }
  const report = async () => {
    const row = { ...problem, reason: null, created_at: context.now() };
    if (await reportProblem(db, row)) log.warn({ event: "payment_problem", kind: problem.kind, provider });
  };
  const pausedUntil = () => (paused && paused > context.now() ? paused : null);

  return {
    /** Until when it may not be called; null if it may. */
    pausedUntil,
    /** True once a call of this run was answered, so that several may be made at the same time. */
    isOpen: () => isOpen,
    async succeeded() {
      failures = 0;
      if (!isOpen) await settleProblems(db, problem, context.now());
      isOpen = true;
    },
    /** @returns true if the call should be repeated now, after the pause that the provider requested */
    async failed(error: ProviderError): Promise<boolean> {
      logProviderError(log, "reading_failed", error);
      const { kind, status, retryAfterMs } = error;
      if (status === 401) {
        await pause(CREDENTIALS_PAUSE);
        await report();
      } else if (kind === "unavailable" && retryAfterMs !== null) {
        if (retryAfterMs <= MAX_WAIT) {
          await setTimeout(retryAfterMs);
          return true;
        }
        await pause(Math.min(retryAfterMs, MAX_PAUSE));
      } else if (kind !== "unavailable") {
        failures = 0;
        isOpen = true;
      }
      return false;
    },
    /** Counts a reading without an answer. Lookups of events do not count, because the lookup of an event may always fail. */
    async unanswered(): Promise<void> {
      if (!pausedUntil() && ++failures >= MAX_FAILURES) await pause(OUTAGE_PAUSE);
    },
    /** Ends a run. Reports an outage, or a pause, that has lasted for an hour. */
    async close(): Promise<void> {
      if (isOpen || !(failures || pausedUntil())) return;
      const since = await outageSince(db, provider);
      if (since && context.now().getTime() - since.getTime() >= OUTAGE_LIMIT) await report();
    },
  };
}
