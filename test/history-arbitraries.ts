/** Random histories of subscriptions: how their provider behaves, and what happens to them in rounds of moves. */
import fc from "fast-check";
import { MOVES, type Move, type Quirks } from "./provider-truths.ts";

/** How many rounds of moves there are, days or a month apart. */
const ROUNDS = 8;

/** True in so many of a hundred cases. */
const often = (percent: number) => fc.integer({ min: 0, max: 99 }).map((one) => one < percent);
/** A number from a span in so many of a hundred cases, else 0. */
const sometimes = (percent: number, min: number, max: number) =>
  fc.tuple(often(percent), fc.integer({ min, max })).map(([is, value]) => (is ? value : 0));
const rounds = (percent: number) =>
  fc.tuple(often(percent), fc.integer({ min: 1, max: ROUNDS - 1 })).map(([is, from]) => (is ? [from, from + 1] : []));

const quirks: fc.Arbitrary<Quirks> = fc.record({
  searchLag: sometimes(75, 1, 60),
  inherits: often(50),
  metadataNamesAnother: often(50),
  longIds: often(50),
  olderKind: often(50),
  otherTopics: often(50),
  forgets: often(60),
  limited: often(40),
  refundLines: often(70),
  oddAmounts: often(50),
  approvalLag: sometimes(80, 15, 45),
  pastDate: often(50),
  strangeIn: fc.record({
    optional: rounds(25), // Two rounds may be months: what cannot be read for 14 days is given up, and reported.
    needed: rounds(40).map(([first]) => (first === undefined ? [] : [first])),
  }),
  wrong: fc.oneof(
    { weight: 8, arbitrary: fc.constant(null) },
    {
      weight: 3,
      arbitrary: fc.constantFrom("altered" as const, "altered" as const, "owner" as const, "less" as const),
    },
  ),
});
/** What happens in a step: at the provider, or here. */
type What = Move | "cancel here" | "browser";
const step = fc.record({
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant<What>("approve") },
    { weight: 12, arbitrary: fc.constant<What>("renew") },
    { weight: 6, arbitrary: fc.constantFrom<What>(...MOVES, "cancel here", "browser") },
  ),
  /** Minutes from the beginning of the round. */
  minute: fc.integer({ min: 0, max: 70 }),
  /** The deliveries of its webhook events: how many, and how many rounds later. */
  copies: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  /** Its webhook events are delivered in parallel. */
  together: fc.boolean(),
});
/** Moves that belong together; they take the place of others, from some round on. */
const ARCS: Move[][] = [
  [],
  [],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["cancel"],
  ["refund"],
  ["part"],
  ["complain", "decide for the buyer"],
];
const history = fc
  .record({
    method: fc.constantFrom("paypal" as const, "mercadopago" as const),
    plan: fc.constantFrom("monthly" as const, "monthly" as const, "monthly" as const, "lifetime" as const),
    quirks,
    /** Months that were paid before the history begins. */
    past: fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, { weight: 1, arbitrary: fc.integer({ min: 9, max: 14 }) }),
    isRefusedFirst: often(40),
    arc: fc.constantFrom(...ARCS),
    arcFrom: fc.integer({ min: 2, max: ROUNDS - 2 }),
    steps: fc.array(step, { minLength: ROUNDS, maxLength: ROUNDS }),
  })
  .map(({ isRefusedFirst, arc, arcFrom, steps, ...made }) => {
    const first: Move[] = isRefusedFirst ? ["refuse sign-up", "approve"] : ["approve"];
    const moves = new Map([...first.entries(), ...arc.map((what, n): [number, Move] => [arcFrom + n, what])]);
    const what = (n: number, one: What): What => moves.get(n) ?? one;
    return { ...made, steps: steps.map((one, n) => ({ ...one, what: what(n, one.what) })) };
  });
const round = fc.record({
  /** Hours since the last one; null until a charge is due. */
  gap: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 24 * 12 }) },
  ),
  /** The minutes of its sweeps, and how many minutes later the last one follows. */
  sweeps: fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 2 }),
  rest: fc.integer({ min: 10, max: 60 * 40 }),
  /** A provider does not answer until the last sweep. */
  down: fc.record({ paypal: often(20), mercadopago: often(20) }),
  /** The queue sends cancellations before the sweep does. */
  queueRuns: fc.boolean(),
});
/** Histories that share a clock, a sweep and their providers' outages. @param size how many */
export const historyGroup = (size: number) =>
  fc.record({
    histories: fc.array(history, { minLength: size, maxLength: size }),
    rounds: fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
  });
type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
export type History = Drawn<typeof history>;
export type HistoryGroup = Drawn<ReturnType<typeof historyGroup>>;
