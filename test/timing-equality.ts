import { expect } from "vitest";
import type { Answer, TestApp } from "./app.ts";
import { derivations, hashPasswordsAsInProduction } from "./fast-password-hashing.ts";
import { FULL_RUN } from "./full-run.ts";

/** Number of pairs whose responses and work are compared. */
const COMPARED_PAIRS = 4;
/** Number of measured pairs. Lower if each response costs one or two password hashes. */
const MEASURED_PAIRS = { fast: 60, hashing: 24 };
/** Number of first pairs that are not measured, because the runtime still compiles. */
const WARM_UP_PAIRS = 3;
const ROUNDS = 4;

const median = (values: number[]) => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!;

/** The observable part of a response, without its time and secrets. */
const observable = ({ status, text, headers }: Answer) => ({
  status,
  text,
  headers: [...headers]
    .filter(([name]) => name !== "date")
    .map(([name, value]) => `${name}: ${value.replace(/^(\w+)=[\w-]{43}(\.[\w-]{43})*(?=;)/, "$1=x")}`),
});

/** Email addresses to request alternately: with an account (or another secret) and without. */
export type Addresses = { known: string[]; unknown: string[] };

/**
 * Expects that a response does not reveal whether an email address is known: equal content and equal work, counted in
 * password hashes and statements. The full run also measures the time, and hashes passwords as in production.
 *
 * @param addresses creates that many addresses of both kinds
 */
export async function expectEqualTiming(
  app: TestApp,
  ask: (email: string) => Promise<Answer>,
  addresses: (pairs: number) => Promise<Addresses>,
  { hashing = false } = {},
): Promise<void> {
  await compareWork(app, ask, await addresses(COMPARED_PAIRS));
  if (!FULL_RUN) return;
  hashPasswordsAsInProduction(true);
  try {
    await compareTimes(ask, () => addresses(MEASURED_PAIRS[hashing ? "hashing" : "fast"] + WARM_UP_PAIRS));
  } finally {
    hashPasswordsAsInProduction(false);
  }
}

async function compareWork(
  app: TestApp,
  ask: (email: string) => Promise<Answer>,
  { known, unknown }: Addresses,
): Promise<void> {
  const work = async (email: string) => {
    const before = derivations();
    let answer: Answer | undefined;
    const statements = await app.statementsDuring(async () => {
      answer = await ask(email);
    });
    return {
      ...observable(answer!),
      derivations: derivations() - before,
      statements: statements.map((text) => text.replace(/\s+/g, " ")),
    };
  };
  for (const [pair, email] of known.entries()) expect(await work(email)).toEqual(await work(unknown[pair]!));
}

async function compareTimes(
  ask: (email: string) => Promise<Answer>,
  addresses: () => Promise<Addresses>,
): Promise<void> {
  const timed = async (email: string) => {
    const start = performance.now();
    const answer = await ask(email);
    return { told: observable(answer), took: performance.now() - start };
  };
  let said = "";
  // Other work on the machine distorts one measurement. A leak distorts every one.
  for (let round = 0; round < ROUNDS; round++) {
    const { known, unknown } = await addresses();
    const times = { known: [] as number[], unknown: [] as number[] };
    for (const [pair, email] of known.entries()) {
      // Alternates the first address, so that a warm cache favours neither.
      const [first, second] = pair % 2 ? [email, unknown[pair]!] : [unknown[pair]!, email];
      const one = await timed(first);
      const other = await timed(second);
      expect(one.told).toEqual(other.told);
      if (pair < WARM_UP_PAIRS) continue;
      times.known.push(pair % 2 ? one.took : other.took);
      times.unknown.push(pair % 2 ? other.took : one.took);
    }
    const [one, other] = [median(times.known), median(times.unknown)];
    said += `medians ${one.toFixed(1)} ms when known, ${other.toFixed(1)} ms when not; `;
    if (Math.abs(one - other) <= Math.max(5, Math.max(one, other) * 0.1)) return;
  }
  expect.fail(said);
}
