import { setTimeout } from "node:timers/promises";
import { MINUTE } from "#shared/time.ts";
import type { Context } from "../../context.ts";
import { loggableError, ProviderError } from "../../integrations/provider-error.ts";
import { setPausedUntil } from "./store.ts";

/** How many calls to one provider run at the same time: enough to catch up after an outage, few enough for their limits. */
export const PARALLEL_STEPS = 8;
/** After this many failures in a row a provider is left to the next sweep. */
const MAX_FAILURES = PARALLEL_STEPS;
/** How often a step is repeated in one sweep after pauses that the provider asked for. */
const MAX_TRIES = 5;
/** A longer pause that a provider asks for is left to the next sweep. */
const MAX_WAIT = MINUTE;

/** How time goes by while a sweep waits for a provider; a simulation counts the calls instead. */
export type Pace = {
  /** Milliseconds from any moment on. */
  elapsed(provider: string): number;
  wait(milliseconds: number): Promise<unknown>;
};
export const REAL_PACE: Pace = { elapsed: () => performance.now(), wait: (milliseconds) => setTimeout(milliseconds) };

/** Something that a sweep does at a provider, such as reading one membership. */
export type Step = () => Promise<unknown>;

/**
 * Runs the steps in their order, some at the same time, and leaves the ones that fail to the next sweep. Waits as long as
 * the provider asks for; stops when it asks for more than a minute, when it does not answer, or at `deadline`.
 * @param deadline by `pace`: a sweep must not outlive its job
 */
export async function runPaced(
  context: Context,
  provider: string,
  steps: readonly Step[],
  deadline: number,
  pace: Pace = REAL_PACE,
): Promise<void> {
  let begun = 0;
  let failures = 0;
  let isStopped = false;
  let resumeAt = 0;
  const elapsed = () => pace.elapsed(provider);
  const goesOn = () => !isStopped && elapsed() < deadline;

  /** What follows from a failure. Returns whether the step is to be repeated, after the pause that the provider asks for. */
  async function isToBeRepeated(error: unknown): Promise<boolean> {
    if (!(error instanceof ProviderError)) {
      context.log.error({ event: "sweep_failed", provider, reason: (error as Error).name });
      return false;
    }
    context.log.warn({ event: "sweep_failed", ...loggableError(error) });
    const { kind, retryAfterMs } = error;
    if (kind === "unavailable" && retryAfterMs === null) isStopped ||= ++failures >= MAX_FAILURES;
    if (kind !== "unavailable" || retryAfterMs === null) return false;
    resumeAt = Math.max(resumeAt, elapsed() + retryAfterMs);
    if (retryAfterMs <= MAX_WAIT && resumeAt < deadline) return true;
    isStopped = true;
    await setPausedUntil(context.db, provider, new Date(context.now().getTime() + retryAfterMs));
    return false;
  }

  async function run(step: Step): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES && goesOn(); tries++) {
      const pause = resumeAt - elapsed();
      if (pause > 0) await pace.wait(pause);
      try {
        await step();
        failures = 0;
        return;
      } catch (error) {
        if (!(await isToBeRepeated(error))) return;
      }
    }
  }

  async function work(): Promise<void> {
    while (begun < steps.length && goesOn()) await run(steps[begun++]!);
  }
  await Promise.all(Array.from({ length: PARALLEL_STEPS }, work));
}
