/** Random histories of people: their subscriptions, the behaviour of providers, and the moves in each round. */
import fc from "fast-check";
import { MOVES, type Move } from "./history-world.ts";

/** How many rounds of moves there are, days or a month apart. */
const ROUNDS = 8;

/** True in so many of a hundred cases. */
const often = (percent: number) => fc.integer({ min: 0, max: 99 }).map((one) => one < percent);
/** A number from a span in so many of a hundred cases, else 0. */
const sometimes = (percent: number, min: number, max: number) =>
  fc.tuple(often(percent), fc.integer({ min, max })).map(([is, value]) => (is ? value : 0));
/** A round in so many of a hundred cases, else null. */
const roundIn = (percent: number, min: number, max = ROUNDS - 2) =>
  fc.tuple(often(percent), fc.integer({ min, max })).map(([is, round]) => (is ? round : null));
const rounds = (percent: number) =>
  fc.tuple(often(percent), fc.integer({ min: 1, max: ROUNDS - 1 })).map(([is, from]) => (is ? [from, from + 1] : []));

/** How the provider behaves towards one subscription. */
const quirks = fc.record({
  /** Minutes that MercadoPago's searches lag behind. */
  searchLag: sometimes(90, 1, 120),
  /** Charges of MercadoPago name the checkout. */
  inherits: often(50),
  metadataNamesAnother: often(50),
  longIds: often(50),
  olderKind: often(50),
  otherTopics: often(60),
  /** The provider responds 404 for cancelled subscriptions. */
  forgets: often(60),
  /** The provider responds 429 with Retry-After: 0 to some calls. */
  limited: often(40),
  /** Refunds are separate lines in PayPal's list of payments. */
  refundLines: often(70),
  /** Amounts are written "4.9900". */
  oddAmounts: often(50),
  /** Minutes for which PayPal still shows APPROVAL_PENDING. */
  approvalLag: sometimes(80, 15, 45),
  pastDate: often(50),
  /** Rounds in which an optional field, or a needed one, cannot be parsed. */
  strangeIn: fc.record({
    optional: rounds(25), // Two rounds may be months: what cannot be read for 14 days is given up, and reported.
    needed: rounds(40).map(([first]) => (first === undefined ? [] : [first])),
  }),
  wrong: fc.oneof(
    // What differs is drawn often, because a second subscription replaces most of it.
    { weight: 5, arbitrary: fc.constant(null) },
    { weight: 10, arbitrary: fc.constant("altered" as const) },
    { weight: 8, arbitrary: fc.constant("owner" as const) },
    { weight: 3, arbitrary: fc.constant("less" as const) },
  ),
});
export type ProviderBehavior = Drawn<typeof quirks>;
export type What = Move | "cancel here" | "browser";
const step = fc.record({
  what: fc.oneof(
    { weight: 2, arbitrary: fc.constant<What>("approve") },
    { weight: 12, arbitrary: fc.constant<What>("renew") },
    { weight: 6, arbitrary: fc.constantFrom<What>(...MOVES, "cancel here", "browser") },
  ),
  /** Minutes from the beginning of the round. Moves of several people at the same minute run concurrently. */
  minute: fc.integer({ min: 0, max: 7 }).map((tens) => 10 * tens),
  /** The deliveries of its webhook events: how many, and how many rounds later. */
  copies: fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 2 }),
  isListed: often(70),
  together: fc.boolean(),
});
/** Moves that belong together; they take the place of others, from some round on. */
const ARCS: What[][] = [
  [],
  [],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["reverse", "reimburse"],
  ["cancel"],
  ["cancel here"],
  ["refund"],
  ["part"],
  ["complain", "decide for the buyer"],
];
const plot = fc
  .record({
    method: fc.constantFrom("paypal" as const, "mercadopago" as const),
    plan: fc.constantFrom("monthly" as const, "monthly" as const, "monthly" as const, "lifetime" as const),
    quirks,
    /** Months that were paid before the history begins. */
    past: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, { weight: 2, arbitrary: fc.integer({ min: 9, max: 14 }) }),
    isRefusedFirst: often(55),
    /** One that names another owner is at PayPal: MercadoPago's is ended before its first charge. */
    isPaidAtOnce: often(60),
    arc: fc.constantFrom(...ARCS),
    arcFrom: fc.integer({ min: 2, max: ROUNDS - 2 }),
    steps: fc.array(step, { minLength: ROUNDS, maxLength: ROUNDS }),
  })
  .map(({ isRefusedFirst, isPaidAtOnce, arc, arcFrom, steps, method, ...made }) => {
    const isMoved = made.quirks.wrong === "owner" && isPaidAtOnce;
    const first: What[] = isRefusedFirst ? ["refuse sign-up", "approve"] : ["approve"];
    const moves = new Map([...first.entries(), ...arc.map((what, n): [number, What] => [arcFrom + n, what])]);
    const what = (n: number, one: What): What => moves.get(n) ?? one;
    return {
      ...made,
      method: isMoved ? ("paypal" as const) : method,
      steps: steps.map((one, n) => ({ ...one, what: what(n, one.what) })),
    };
  });
export type Plot = Drawn<typeof plot>;

const SECONDS = [
  "none",
  "none",
  "none",
  "twice",
  "twice",
  "twice",
  "upgrade",
  "after cancelling",
  "after a refund",
] as const;
/** The plots of a history: a second subscription is approved in the round in which it begins, or in the next. */
function plotsOf(first: Plot, other: Plot, second: (typeof SECONDS)[number], from: number): [Plot, Plot | null] {
  if (second === "none") return [first, null];
  const begins = second === "twice" ? 0 : from;
  const steps = other.steps.map((one, n) =>
    n < begins ? { ...one, what: "browser" as const } : { ...one, what: n === begins ? "approve" : one.what },
  );
  const sound = { ...other.quirks, wrong: null };
  const calm = { ...first.quirks, wrong: null };
  if (second === "twice")
    return [
      { ...first, quirks: calm },
      { ...other, past: 0, steps, quirks: sound },
    ];
  const ends = { "after cancelling": "cancel here", "after a refund": "refund", upgrade: "renew" } as const;
  const before = first.steps.map((one, n) =>
    n === from - 1 && n > 0 ? { ...one, what: ends[second], minute: 0 } : one,
  );
  const isUpgrade = second === "upgrade";
  const plan = isUpgrade ? "monthly" : first.plan;
  const bought: Plot = { ...other, past: 0, steps, ...(isUpgrade && { plan: "lifetime", quirks: sound }) };
  return [{ ...first, plan, quirks: calm, steps: before }, bought];
}

const history = fc
  .record({
    first: plot,
    other: plot,
    second: fc.constantFrom(...SECONDS),
    /** The round in which the second subscription begins, unless both begin together. */
    secondIn: fc.integer({ min: 2, max: ROUNDS - 3 }),
    /** The administrator grants Gold in a round, until some days later or without end (0), and may end all Gold later. */
    grant: fc.record({ in: roundIn(27, 1), days: fc.integer({ min: 0, max: 90 }), endsIn: roundIn(60, 3) }),
    ties: often(95),
    deletedIn: roundIn(12, 0),
  })
  .map(({ first, other, second, secondIn, ...more }) => ({
    ...more,
    plots: plotsOf(first, other, second, secondIn),
    second,
    secondIn,
  }));
const round = fc.record({
  /** Hours since the last one; null until a charge is due. */
  gap: fc.oneof(
    { weight: 3, arbitrary: fc.constant(null) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 24 * 12 }) },
  ),
  /** The minutes at which the jobs run, and how many minutes later they run the last time. */
  sweeps: fc.uniqueArray(fc.integer({ min: 1, max: 90 }), { minLength: 1, maxLength: 2 }),
  rest: fc.integer({ min: 10, max: 60 * 40 }),
  /** A provider does not answer until the last run. */
  down: fc.record({ paypal: often(20), mercadopago: often(20) }),
});
/** Histories that share a clock, the jobs and their providers' outages. @param size how many */
export const historyGroup = (size: number) =>
  fc.record({
    histories: fc.array(history, { minLength: size, maxLength: size }),
    rounds: fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS }),
  });
type Drawn<Of> = Of extends fc.Arbitrary<infer Value> ? Value : never;
export type History = Drawn<typeof history>;
export type HistoryGroup = Drawn<ReturnType<typeof historyGroup>>;
