/** Measures the same load on the app, on an earlier commit of it, and on the reference, in turns. */
import { setTimeout as pause } from "node:timers/promises";
import { type Load, percentile, runLoad, type Sample } from "./load.ts";
import { type App, processorTimeOf, type Target } from "./processes.ts";
import type { Random } from "./random.ts";

export type Bench = {
  app: App;
  /** App of an earlier commit, or null. */
  against: App | null;
  reference: Target;
  quick: boolean;
  random: Random;
};

export type Line = {
  measured: string;
  goal: string;
  result: string;
  /** Difference between the highest and the lowest measurement of the app, as a part of the median. */
  spread?: number;
  p50?: number;
  p99?: number;
  /** Processor time per request of the app in milliseconds, without PostgreSQL. */
  processorTime?: number;
  reference?: string;
  ratio?: number;
  against?: string;
  failures?: number;
};

type Row = {
  measured: string;
  goal: string;
  load(target: Target): Load;
  /** Duration of the load before the first measurement, in seconds, which fills caches. */
  warmUpSeconds?: number;
  /** False if only the app can serve this load. */
  withReference?: boolean;
  meanwhile?(target: Target, signal: AbortSignal): Promise<unknown>;
};

const WARM_UP_SECONDS = 0.5;
const perSecond = (rate: number) => `${rate < 100 ? rate.toFixed(1) : Math.round(rate)}/s`;

/** Median; of an even number of values the mean of the two in the middle. */
const median = (values: number[]) =>
  (percentile(values, 0.5) -
    percentile(
      values.map((value) => -value),
      0.5,
    )) /
  2;

type Measurement = Sample & { processorTime: number };

async function measure(row: Row, target: Target, seconds: number): Promise<Measurement> {
  const load = row.load(target);
  const over = new AbortController();
  const meanwhile = row.meanwhile?.(target, over.signal);
  await runLoad(target.url, load, WARM_UP_SECONDS);
  const before = processorTimeOf(target.pid);
  const sample = await runLoad(target.url, load, seconds);
  const processorTime = (processorTimeOf(target.pid) - before) / sample.latencies.length;
  over.abort();
  await meanwhile;
  await pause(200);
  return { ...sample, processorTime };
}

/** Measures the app before and after its references. */
export async function compare(bench: Bench, row: Row): Promise<Line> {
  const { app, against, reference, quick } = bench;
  const others = [...(against ? [against] : []), ...(row.withReference === false ? [] : [reference])];
  const round: Target[] = [app, ...others, ...others.slice(0, -1).toReversed(), app];
  const samples = new Map<Target, Measurement[]>();
  if (row.warmUpSeconds)
    for (const target of against ? [app, against] : [app])
      await runLoad(target.url, row.load(target), row.warmUpSeconds);
  for (let rounds = quick ? 1 : 3; rounds > 0; rounds--)
    for (const target of round)
      samples.set(target, [...(samples.get(target) ?? []), await measure(row, target, quick ? 2 : 5)]);
  const medianOf = (target: Target | null, what: "rate" | "processorTime") => {
    const taken = target && samples.get(target);
    return taken ? median(taken.map((one) => one[what])) : undefined;
  };
  const own = samples.get(app)!;
  const rates = own.map(({ rate }) => rate);
  const rate = median(rates);
  const latencies = own.flatMap((sample) => sample.latencies);
  const processorTime = medianOf(app, "processorTime")!;
  const [ofReference, ofAgainst] = [medianOf(reference, "rate"), medianOf(against, "rate")];
  const [timeOfReference, timeOfAgainst] = [medianOf(reference, "processorTime"), medianOf(against, "processorTime")];
  return {
    measured: row.measured,
    goal: row.goal,
    result: perSecond(rate),
    spread: (Math.max(...rates) - Math.min(...rates)) / rate,
    p50: percentile(latencies, 0.5),
    p99: percentile(latencies, 0.99),
    processorTime,
    ...(ofReference && {
      reference: `${perSecond(ofReference)}, CPU ${timeOfReference!.toPrecision(2)} ms`,
      ratio: rate / ofReference,
    }),
    ...(ofAgainst && {
      against: `${perSecond(ofAgainst)} (${(rate / ofAgainst).toFixed(2)}x), CPU ${timeOfAgainst!.toPrecision(2)} ms`,
    }),
    failures: [...samples.values()].flat().reduce((sum, { failures }) => sum + failures, 0),
  };
}
