import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PAYMENT_METHODS, PLAN_TYPES } from "#shared/plans.ts";
import {
  CHECKOUT_LIFETIME,
  isCheckoutOpen,
  LAUNCH_PLACES,
  PRICES,
  promotionPlaces,
  providerFor,
  whyCannotSubscribe,
} from "../checkout/rules.ts";
import type { Payment, Snapshot } from "../providers/provider.ts";
import {
  goldUntil,
  isActive,
  type Membership,
  mustCancelAtProvider,
  type Subscription,
  standingOf,
  whyCannotCancel,
  whyCannotSeePlans,
} from "../rules.ts";
import { GRACE_LEAD, GRACE_PERIOD, MONTH, monthAfter, PROVISIONAL_ACCESS } from "./entitlement-rules.ts";
import type { Checkout } from "./payment-rules.ts";
import { mismatchOf } from "./problem-rules.ts";
import { type KnownState, type Settlement, settle } from "./rules.ts";

const NOW = new Date("2026-11-21T12:00:00.000Z");
const at = (milliseconds: number) => new Date(NOW.getTime() + milliseconds);
const monthly = (next: Date | null, status = "active"): Subscription => ({
  plan_type: "monthly",
  status,
  next_billing_date: next,
});
const lifetime = (status = "active"): Subscription => ({ plan_type: "lifetime", status, next_billing_date: null });

describe("a membership", () => {
  test("for a month is active until its date, not at it", () => {
    expect(isActive(monthly(at(1)), NOW)).toBe(true);
    expect(isActive(monthly(at(0)), NOW)).toBe(false);
    expect(isActive(monthly(at(-1)), NOW)).toBe(false);
    expect(isActive(monthly(null), NOW)).toBe(false);
  });

  test("for life is active while its status is, and so is one of any other plan", () => {
    expect(isActive(lifetime(), NOW)).toBe(true);
    expect(isActive({ plan_type: "yearly", status: "active", next_billing_date: at(-1) }, NOW)).toBe(true);
    expect(isActive(lifetime("cancelled"), NOW)).toBe(false);
    expect(isActive(monthly(at(MONTH), "cancelled"), NOW)).toBe(false);
  });

  test("is active exactly while the clock is before the moment that the database keeps", () => {
    const subscription = fc.record({
      plan_type: fc.constantFrom("monthly", "lifetime", "yearly"),
      status: fc.constantFrom("active", "cancelled"),
      next_billing_date: fc.option(fc.integer({ min: -2 * MONTH, max: 2 * MONTH }).map(at)),
    });
    fc.assert(
      fc.property(subscription, fc.integer({ min: -MONTH, max: MONTH }).map(at), (one, now) => {
        const until = goldUntil(one);
        expect(until === "infinity" || (until !== null && until > now)).toBe(isActive(one, now));
      }),
    );
  });

  test("can be cancelled unless it is for life", () => {
    expect(whyCannotCancel({ plan_type: "monthly" })).toBeNull();
    expect(whyCannotCancel({ plan_type: "lifetime" })).toBe("lifetime_not_cancelled");
  });
});

describe("buying", () => {
  test("is for psychologists", () => {
    expect(whyCannotSeePlans(null)).toBe("psychologists_only");
    expect(whyCannotSeePlans({ user_type: "user" })).toBe("psychologists_only");
    expect(whyCannotSeePlans({ user_type: "psychologist" })).toBeNull();
  });

  test("is for verified psychologists without Gold; a month that is over is no Gold", () => {
    expect(whyCannotSubscribe({ is_verified: false }, null, "monthly", NOW)).toBe("subscribe_not_verified");
    expect(whyCannotSubscribe({ is_verified: true }, null, "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(-1)), "monthly", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "monthly", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "monthly", NOW)).toBe("already_subscribed");
  });

  test("is allowed as an upgrade from monthly to lifetime, and no other way", () => {
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), "lifetime", NOW)).toBeNull();
    expect(whyCannotSubscribe({ is_verified: true }, lifetime(), "lifetime", NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: true }, monthly(at(1)), null, NOW)).toBe("already_subscribed");
    expect(whyCannotSubscribe({ is_verified: false }, monthly(at(1)), "lifetime", NOW)).toBe("subscribe_not_verified");
  });

  test("costs what the specification says", () => {
    expect(PRICES).toEqual({
      paypal: { monthly: { amount: 499, currency: "USD" }, lifetime: { amount: 4999, currency: "USD" } },
      mercadopago: { monthly: { amount: 499_900, currency: "ARS" }, lifetime: { amount: 4_999_900, currency: "ARS" } },
    });
  });

  test("goes to the configured provider, in the demo to the test mode, else to none", () => {
    expect(providerFor("paypal", { demo: true, configured: [] })).toBe("test");
    expect(providerFor("paypal", { demo: true, configured: ["paypal"] })).toBe("paypal");
    expect(providerFor("mercadopago", { demo: true, configured: ["paypal"] })).toBe("test");
    expect(providerFor("mercadopago", { demo: false, configured: ["paypal"] })).toBeNull();
  });

  test("is open for a day and while nothing was decided", () => {
    const checkout = { status: "open", payment_pending: false, created_at: NOW };
    expect(isCheckoutOpen(checkout, at(CHECKOUT_LIFETIME - 1))).toBe(true);
    expect(isCheckoutOpen(checkout, at(CHECKOUT_LIFETIME))).toBe(false);
    // Cash takes days.
    expect(isCheckoutOpen({ ...checkout, payment_pending: true }, at(5 * CHECKOUT_LIFETIME))).toBe(true);
    for (const status of ["paid", "failed", "expired"])
      expect(isCheckoutOpen({ ...checkout, status }, NOW)).toBe(false);
  });
});

test("the promotion shows the places left until the hundredth is taken", () => {
  expect(promotionPlaces(0)).toEqual({ places: LAUNCH_PLACES, places_left: 100 });
  expect(promotionPlaces(99)).toEqual({ places: LAUNCH_PLACES, places_left: 1 });
  expect(promotionPlaces(100)).toBeNull();
  expect(promotionPlaces(101)).toBeNull();
});

const HOUR = 3600_000;
const DAY = 24 * HOUR;

const checkout: Checkout = {
  id: "11111111-1111-4111-8111-111111111111",
  psychologist_id: "22222222-2222-4222-8222-222222222222",
  provider: "paypal",
  plan_type: "monthly",
  amount: 499,
  currency: "USD",
};
const life: Checkout = { ...checkout, plan_type: "lifetime", amount: 4999 };

const payment = (paid_at: Date, more: Partial<Payment> = {}): Payment => ({
  external_payment_id: `S${paid_at.getTime()}`,
  amount: 499,
  currency: "USD",
  status: "completed",
  refunded_amount: 0,
  dispute: null,
  external_dispute_id: null,
  paid_at,
  as_of: null,
  ...more,
});
const lifePayment = (more: Partial<Payment> = {}) => payment(NOW, { amount: 4999, ...more });

const snapshotOf = (more: Partial<Snapshot> = {}): Snapshot => ({
  state: "active",
  as_of: null,
  reference: checkout.psychologist_id,
  plan_type: "monthly",
  plan_id: null,
  price: null,
  altered: false,
  charges_later: false,
  next_billing_date: null,
  payments: [payment(NOW)],
  last_payment: null,
  unconfirmed_reversal: null,
  ...more,
});
const ofLife = (more: Partial<Snapshot> = {}) =>
  snapshotOf({ plan_type: "lifetime", payments: [lifePayment()], ...more });

/** The known state after a settlement, as the next reading finds it. */
const nextState = (known: KnownState, settled: Settlement | null, read_at: Date): KnownState =>
  settled
    ? {
        ...known,
        current: settled.replacesCurrent ? null : known.current,
        membership: settled.membership && { ...settled.membership, plan_type: known.checkout.plan_type, read_at },
        payments: settled.payments,
      }
    : known;
const newState = (of: Checkout = checkout, current: KnownState["current"] = null): KnownState => ({
  checkout: of,
  membership: null,
  payments: [],
  current,
  hadUnpaidProvisionalAccess: false,
});
/** Settles snapshots one after another, each at its time. */
function settleAll(readings: [Snapshot, Date][], start = newState()): { known: KnownState; last: Settlement | null } {
  let known = start;
  let last: Settlement | null = null;
  for (const [snapshot, now] of readings) {
    last = settle(known, snapshot, now);
    known = nextState(known, last, now);
  }
  return { known, last };
}
const inForce = (known: KnownState, now: Date) =>
  known.membership !== null && isActive({ ...known.membership, plan_type: known.checkout.plan_type }, now);
const standing = (known: KnownState, now: Date) =>
  standingOf({ ...known.membership!, plan_type: known.checkout.plan_type }, now);

test("a month later is the same day, or the month's last", () => {
  for (const [from, to] of [
    ["2027-01-31T10:00:00.000Z", "2027-02-28T10:00:00.000Z"],
    ["2028-01-31T10:00:00.000Z", "2028-02-29T10:00:00.000Z"],
    ["2027-02-28T10:00:00.000Z", "2027-03-28T10:00:00.000Z"],
    ["2027-03-31T23:59:59.999Z", "2027-04-30T23:59:59.999Z"],
    ["2026-12-31T00:00:00.000Z", "2027-01-31T00:00:00.000Z"],
    ["2026-11-21T12:00:00.000Z", "2026-12-21T12:00:00.000Z"],
  ])
    expect(monthAfter(new Date(from!)).toISOString()).toBe(to);
});

describe("a snapshot", () => {
  test("begins a month that lasts until the provider's own date, or thirty days without one", () => {
    expect(settle(newState(), snapshotOf(), NOW)).toMatchObject({
      checkoutStatus: "paid",
      membership: { status: "active", ended_by: null, next_billing_date: at(MONTH), grace_from: null },
      receipts: [payment(NOW).external_payment_id],
      replacesCurrent: false,
      problems: [],
    });
    const own = new Date("2026-12-21T10:00:00.000Z");
    expect(settle(newState(), snapshotOf({ next_billing_date: own }), NOW)?.membership?.next_billing_date).toEqual(own);
  });

  test.each([
    ["in the past just after activation", at(-HOUR)],
    ["within a day of the payment", at(DAY)],
    ["months ahead of the payment", at(65 * DAY)],
  ])("with a next date %s lasts a month after the payment instead", (_what, own) => {
    expect(settle(newState(), snapshotOf({ next_billing_date: own }), NOW)?.membership?.next_billing_date).toEqual(
      monthAfter(NOW),
    );
  });

  test("begins lifetime without a date, whatever date the provider has", () => {
    const { known } = settleAll([[ofLife({ next_billing_date: at(MONTH) }), NOW]], newState(life));
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: null });
    expect(goldUntil({ ...known.membership!, plan_type: "lifetime" })).toBe("infinity");
  });

  test("grants nothing before the approval or without a payment, and reports the failure", () => {
    for (const state of ["pending", "failed"] as const)
      expect(settle(newState(), snapshotOf({ state, payments: [] }), NOW)).toMatchObject({
        checkoutStatus: state === "failed" ? "failed" : null,
        membership: null,
      });
    expect(settle(newState(), snapshotOf({ payments: [] }), NOW)).toMatchObject({
      checkoutStatus: null,
      membership: null,
    });
    for (const status of ["pending", "failed"] as const)
      expect(settle(newState(), snapshotOf({ payments: [payment(NOW, { status })] }), NOW)).toMatchObject({
        membership: null,
      });
    expect(settle(newState(), snapshotOf({ state: "cancelled", payments: [] }), NOW)).toMatchObject({
      checkoutStatus: "failed",
    });
  });

  test("counts a payment that the subscription shows before the list of payments does", () => {
    const told = snapshotOf({ payments: [], last_payment: { amount: 499, currency: "USD", paid_at: NOW } });
    expect(settle(newState(), told, NOW)).toMatchObject({
      membership: { status: "active", next_billing_date: at(MONTH) },
      payments: [],
      receipts: [],
    });
    const little = snapshotOf({ payments: [], last_payment: { amount: 498, currency: "USD", paid_at: NOW } });
    expect(settle(newState(), little, NOW)?.membership).toBeNull();
    // The last payment of the subscription is the one that was refunded.
    const back = snapshotOf({
      payments: [payment(NOW, { status: "refunded" })],
      last_payment: { amount: 499, currency: "USD", paid_at: at(1000) },
    });
    expect(settle(newState(), back, NOW)?.membership).toMatchObject({ status: "cancelled", ended_by: "refund" });
  });

  test.each([
    ["another plan", { plan_type: "lifetime" }, "plan"],
    ["a plan that is none of ours", { plan_type: null }, "plan"],
    ["another person's id", { reference: "33333333-3333-4333-8333-333333333333" }, "owner"],
    ["no id", { reference: null }, "owner"],
    ["terms that were changed", { altered: true }, "altered"],
    ["less money", { price: { amount: 498, currency: "USD" } }, "amount"],
    ["another currency", { price: { amount: 499, currency: "ARS" } }, "currency"],
  ] as const)("with %s grants nothing, and reports a problem", (_what, difference, reason) => {
    const told = snapshotOf(difference);
    expect(mismatchOf(checkout, told)).toBe(reason);
    expect(settle(newState(), told, NOW)).toMatchObject({
      checkoutStatus: "mismatch",
      membership: null,
      problems: [{ kind: "mismatch", payment: null, reason }],
    });
  });

  test.each([
    ["less", { amount: 498 }, "amount"],
    ["another currency", { currency: "ARS" }, "currency"],
  ] as const)("with a payment of %s grants nothing, and reports a problem", (_what, difference, reason) => {
    const short = payment(NOW, difference);
    const first = settle(newState(), snapshotOf({ payments: [short] }), NOW);
    const problem = { kind: "mismatch", payment: short.external_payment_id, reason };
    expect(first).toMatchObject({ checkoutStatus: "mismatch", membership: null, problems: [problem] });
    // As a renewal it extends nothing; the month before it stays.
    const renewed = payment(at(30 * DAY), difference);
    const { known, last } = settleAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW), renewed] }), at(30 * DAY)],
    ]);
    expect(last!.problems).toMatchObject([{ kind: "mismatch", payment: renewed.external_payment_id }]);
    expect(known.membership!.grace_from).toEqual(at(MONTH));
  });

  test("with a mismatch takes nothing away that was paid for before", () => {
    const { known, last } = settleAll([
      [snapshotOf(), NOW],
      [snapshotOf({ altered: true, next_billing_date: at(60 * DAY), payments: [payment(at(DAY))] }), at(DAY)],
    ]);
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: at(MONTH) });
    expect(last).toMatchObject({ checkoutStatus: "paid", problems: [{ kind: "mismatch", reason: "altered" }] });
  });

  test("grants only what was paid for in full", () => {
    fc.assert(
      fc.property(
        fc.constantFrom(...PAYMENT_METHODS),
        fc.constantFrom(...PLAN_TYPES),
        fc.constantFrom(...PLAN_TYPES),
        fc.integer({ min: 1, max: 10_000_000 }),
        fc.constantFrom("USD" as const, "ARS" as const),
        fc.constantFrom<Snapshot["state"]>("pending", "active", "suspended", "cancelled", "expired", "failed"),
        (method, wanted, told, amount, currency, state) => {
          const price = PRICES[method][wanted];
          const made = { ...checkout, provider: method, plan_type: wanted, ...price };
          const payments = state === "pending" || state === "failed" ? [] : [payment(NOW, { amount, currency })];
          const next = settle(newState(made), snapshotOf({ state, plan_type: told, payments }), NOW)!;
          const paid = wanted === told && currency === price.currency && amount >= price.amount && payments.length > 0;
          expect(next.membership?.status === "active").toBe(paid);
        },
      ),
    );
  });
});

describe("a renewal", () => {
  const due = new Date("2026-12-21T10:00:00.000Z");
  const began: [Snapshot, Date] = [snapshotOf({ next_billing_date: due }), NOW];

  test("extends to the provider's next date, with one receipt", () => {
    const next = new Date("2027-01-21T10:00:00.000Z");
    const renewed = snapshotOf({ next_billing_date: next, payments: [payment(NOW), payment(due)] });
    const { known, last } = settleAll([began, [renewed, due]]);
    expect(known.membership!.next_billing_date).toEqual(next);
    expect(last!.receipts).toEqual([payment(due).external_payment_id]);
    expect(settle(known, renewed, due)!.receipts).toEqual([]);
  });

  test("on the 31st lasts to the last day of a shorter month, and from there to the 31st again", () => {
    const january = new Date("2027-01-31T10:00:00.000Z");
    const february = new Date("2027-02-28T10:00:00.000Z");
    const march = new Date("2027-03-31T10:00:00.000Z");
    // The provider gives no usable date, so a calendar month counts.
    const first = snapshotOf({ payments: [payment(january)], next_billing_date: january });
    expect(settle(newState(), first, january)!.membership!.next_billing_date).toEqual(february);
    // Its usable date counts, although it is more than a month after the payment.
    const second = snapshotOf({ payments: [payment(january), payment(february)], next_billing_date: march });
    expect(settle(newState(), second, february)!.membership!.next_billing_date).toEqual(march);
  });

  test("that is overdue has one grace period of three days while the provider says active, to the second", () => {
    const early = at(due.getTime() - NOW.getTime() - GRACE_LEAD - 1);
    const lateFrom = new Date(due.getTime() - GRACE_LEAD);
    const extended = new Date(due.getTime() + GRACE_PERIOD);
    expect(GRACE_PERIOD).toBe(3 * DAY);
    const { known: before } = settleAll([began, [began[0], early]]);
    expect(before.membership).toMatchObject({ next_billing_date: due, grace_from: null });
    for (const reading of [
      lateFrom,
      due,
      new Date(due.getTime() + 2 * DAY),
      extended,
      new Date(extended.getTime() + DAY),
    ]) {
      const { known } = settleAll([began, [began[0], reading], [began[0], new Date(reading.getTime() + 1)]]);
      expect(known.membership).toMatchObject({ next_billing_date: extended, grace_from: due });
      expect(inForce(known, new Date(extended.getTime() - 1000))).toBe(true);
      expect(inForce(known, extended)).toBe(false);
    }
    const { known } = settleAll([began, [began[0], due]]);
    expect(standing(known, due)).toBe("grace_period");
    expect(standing(known, extended)).toBe("ended");
  });

  test("that comes after the grace period counts from its own date, and may have one again a month later", () => {
    const paid = new Date(due.getTime() + 2 * DAY);
    const next = new Date("2027-01-21T10:00:00.000Z");
    const renewed = snapshotOf({ next_billing_date: next, payments: [payment(NOW), payment(paid)] });
    const { known } = settleAll([began, [began[0], due], [renewed, paid]]);
    expect(known.membership).toMatchObject({ next_billing_date: next, grace_from: null });
    const { known: again } = settleAll([[renewed, next]], known);
    expect(again.membership).toMatchObject({ grace_from: next });
  });

  test("that failed extends nothing although the provider gives a date a month ahead", () => {
    const ahead = snapshotOf({ next_billing_date: new Date("2027-01-21T10:00:00.000Z") });
    const { known } = settleAll([began, [ahead, due]]);
    expect(known.membership!.next_billing_date).toEqual(new Date(due.getTime() + GRACE_PERIOD));
  });

  test.each(["suspended", "cancelled", "expired"] as const)(
    "does not come once the provider says %s: Gold ends at the date",
    (state) => {
      // The provider gives no date any more: the one it gave before counts.
      const { known } = settleAll([
        began,
        [snapshotOf({ state }), at(DAY)],
        [snapshotOf({ state }), new Date(due.getTime() - 1)],
      ]);
      expect(known.membership).toMatchObject({ status: "active", next_billing_date: due, grace_from: null });
      expect(inForce(known, new Date(due.getTime() - 1000))).toBe(true);
      expect(inForce(known, due)).toBe(false);
      expect(standing(known, at(2 * DAY))).toBe(state === "suspended" ? "past_due" : "ending");
      const { known: later } = settleAll([[snapshotOf({ state }), due]], known);
      expect(later.membership!.status).toBe(state === "suspended" ? "active" : "cancelled");
      if (state !== "suspended")
        expect(later.membership).toMatchObject({ ended_by: "provider", cancelled_at: due, cancel_requested_at: null });
    },
  );

  test("of a suspended membership that is paid after all brings Gold back", () => {
    const paid = new Date(due.getTime() + 20 * DAY);
    const back = snapshotOf({ payments: [payment(NOW), payment(paid)] });
    const { known } = settleAll([began, [snapshotOf({ state: "suspended" }), due], [back, paid]]);
    expect(inForce(known, paid)).toBe(true);
  });

  test("of a membership first read after its cancellation lasts a month after the payment", () => {
    const { known } = settleAll([[snapshotOf({ state: "cancelled" }), at(DAY)]]);
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: monthAfter(NOW) });
    expect(standing(known, at(DAY))).toBe("ending");
  });
});

describe("provisional access", () => {
  const agreed = snapshotOf({ charges_later: true, payments: [], next_billing_date: at(HOUR) });
  const until = at(PROVISIONAL_ACCESS);

  test("lasts 72 hours from the first reading after the approval, to the second, and is given once", () => {
    expect(PROVISIONAL_ACCESS).toBe(72 * HOUR);
    const { known, last } = settleAll([
      [agreed, NOW],
      [agreed, at(HOUR)],
      [agreed, at(80 * HOUR)],
    ]);
    expect(last!.receipts).toEqual([]);
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: until, provisional_until: until });
    expect(inForce(known, at(PROVISIONAL_ACCESS - 1000))).toBe(true);
    expect(inForce(known, until)).toBe(false);
    expect(standing(known, at(HOUR))).toBe("provisional");
  });

  test("becomes a month with the first payment", () => {
    const next = monthAfter(at(HOUR));
    const charged = snapshotOf({ charges_later: true, payments: [payment(at(HOUR))], next_billing_date: next });
    const { known, last } = settleAll([
      [agreed, NOW],
      [charged, at(2 * HOUR)],
    ]);
    expect(known.membership!.next_billing_date).toEqual(next);
    expect(last!.receipts).toHaveLength(1);
    expect(standing(known, at(2 * HOUR))).toBe("active");
    const { known: late } = settleAll([
      [agreed, NOW],
      [agreed, at(80 * HOUR)],
      [charged, at(90 * HOUR)],
    ]);
    expect(inForce(late, at(90 * HOUR))).toBe(true);
  });

  test("ends when the provider subscription does, and is not for a provider that charges at once", () => {
    const { known } = settleAll([
      [agreed, NOW],
      [{ ...agreed, state: "cancelled" }, at(HOUR)],
    ]);
    expect(known.membership).toMatchObject({ status: "cancelled", ended_by: "provider" });
    expect(settle(newState(), { ...agreed, charges_later: false }, NOW)!.membership).toBeNull();
    expect(settle(newState(), { ...agreed, state: "suspended" }, NOW)!.membership).toBeNull();
  });

  test("is not given again after a refund", () => {
    const back = snapshotOf({ charges_later: true, payments: [payment(at(HOUR), { status: "refunded" })] });
    const { known } = settleAll([
      [agreed, NOW],
      [back, at(2 * HOUR)],
    ]);
    expect(inForce(known, at(2 * HOUR))).toBe(false);
  });
});

describe("a refund", () => {
  test.each([
    ["a full refund", { status: "refunded" as const, refunded_amount: 499 }],
    ["a reversal", { status: "reversed" as const }],
    ["a lost dispute", { dispute: "lost" as const, external_dispute_id: "D" }],
  ])("%s ends Gold at once, and is followed by a cancellation at the provider", (_what, change) => {
    const { known, last } = settleAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW, change)] }), at(DAY)],
    ]);
    expect(known.membership).toMatchObject({
      status: "cancelled",
      ended_by: "refund",
      cancelled_at: at(DAY),
      cancel_requested_at: at(DAY),
    });
    expect(standing(known, at(DAY))).toBe("revoked");
    expect(last!.payments).toEqual([payment(NOW, change)]);
  });

  test("of lifetime ends it too, with nothing to cancel", () => {
    const back = ofLife({ payments: [lifePayment({ status: "refunded" })] });
    const { known } = settleAll(
      [
        [ofLife(), NOW],
        [back, at(DAY)],
      ],
      newState(life),
    );
    expect(known.membership).toMatchObject({ status: "cancelled", ended_by: "refund", cancel_requested_at: null });
  });

  test.each([
    ["a partial refund", { status: "partially_refunded" as const, refunded_amount: 100 }, "partial_refund"],
    ["an open dispute", { dispute: "open" as const, external_dispute_id: "D" }, "dispute"],
  ])("%s reports a problem, and Gold stays", (_what, change, kind) => {
    const { known, last } = settleAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW, change)] }), at(DAY)],
    ]);
    expect(inForce(known, at(DAY))).toBe(true);
    expect(last!.problems).toEqual([{ kind, payment: payment(NOW).external_payment_id, reason: null }]);
  });

  test("a dispute that was won leaves no problem", () => {
    const won = snapshotOf({ payments: [payment(NOW, { dispute: "won", external_dispute_id: "D" })] });
    expect(settle(newState(), won, NOW)).toMatchObject({ problems: [], membership: { status: "active" } });
  });

  test("of an earlier month reports a problem; the current month stays", () => {
    const payments = [payment(NOW, { status: "refunded" }), payment(at(30 * DAY))];
    const { known, last } = settleAll([[snapshotOf({ payments }), at(30 * DAY)]]);
    expect(inForce(known, at(31 * DAY))).toBe(true);
    expect(last!.problems).toMatchObject([{ kind: "earlier_refund", payment: payment(NOW).external_payment_id }]);
  });

  test("is undone by a later payment: only the present state counts", () => {
    const back = payment(NOW, { status: "refunded" });
    const again = snapshotOf({ payments: [back, payment(at(30 * DAY))] });
    const { known } = settleAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [back] }), at(DAY)],
      [again, at(30 * DAY)],
    ]);
    expect(known.membership).toMatchObject({ status: "active", ended_by: null, cancelled_at: null });
  });

  test("that the provider does not show reports a problem", () => {
    expect(settle(newState(), snapshotOf({ unconfirmed_reversal: "S1" }), NOW)).toMatchObject({
      membership: { status: "active" },
      problems: [{ kind: "reversal", payment: "S1" }],
    });
  });
});

test("a refunded payment does not count although the subscription shows its time a little later", () => {
  const back = lifePayment({ status: "refunded", refunded_amount: 4999 });
  const told = { amount: 4999, currency: "USD", paid_at: at(61_000) };
  const read = settleAll([[ofLife({ payments: [back], last_payment: told }), at(2 * HOUR)]], newState(life));
  expect(read.last?.membership).toMatchObject({ status: "cancelled", ended_by: "refund" });
});

describe("lifetime", () => {
  test.each(["cancelled", "expired", "suspended"] as const)(
    "outlasts its subscription at the provider: %s changes nothing",
    (state) => {
      const { known } = settleAll(
        [
          [ofLife(), NOW],
          [ofLife({ state }), at(365 * DAY)],
        ],
        newState(life),
      );
      expect(inForce(known, at(40 * 365 * DAY))).toBe(true);
      expect(standing(known, at(DAY))).toBe("active");
      // The same when it was not read before.
      expect(inForce(settleAll([[ofLife({ state }), at(DAY)]], newState(life)).known, at(DAY))).toBe(true);
    },
  );

  test("replaces a monthly membership; the other way round it was paid twice", () => {
    const held = monthly(at(DAY));
    expect(settle(newState(life, held), ofLife(), NOW)).toMatchObject({
      replacesCurrent: true,
      membership: { status: "active" },
    });
    expect(settle(newState(checkout, lifetime()), snapshotOf(), NOW)).toMatchObject({
      replacesCurrent: false,
      membership: { status: "cancelled", ended_by: "paid_twice", cancel_requested_at: NOW },
      problems: [{ kind: "paid_twice", payment: null }],
      receipts: [],
    });
  });
});

describe("an end decided here is final", () => {
  const held = monthly(at(DAY));

  test("a membership paid twice while Gold is in force is stored as cancelled; a month that is over is replaced", () => {
    const twice = settleAll(
      [
        [snapshotOf(), NOW],
        [snapshotOf({ payments: [payment(NOW), payment(at(30 * DAY))] }), at(30 * DAY)],
      ],
      newState(checkout, held),
    );
    expect(twice.known.membership).toMatchObject({ status: "cancelled", ended_by: "paid_twice" });
    expect(twice.last!.problems).toMatchObject([
      { kind: "paid_after_end", payment: payment(at(30 * DAY)).external_payment_id },
    ]);
    expect(settle(newState(checkout, monthly(at(0))), snapshotOf(), NOW)).toMatchObject({
      replacesCurrent: true,
      membership: { status: "active" },
    });
  });

  test.each(["person", "replaced"] as const)(
    "ended by %s, no snapshot brings it back; one that is over confirms the cancellation",
    (ended_by) => {
      const { known } = settleAll([[snapshotOf(), NOW]]);
      const ended: Membership = {
        ...known.membership!,
        status: "cancelled",
        ended_by,
        cancelled_at: at(HOUR),
        cancel_requested_at: at(HOUR),
      };
      const start = { ...known, membership: ended };
      const paid = snapshotOf({ payments: [payment(NOW), payment(at(30 * DAY))] });
      const { known: later, last } = settleAll(
        [
          [snapshotOf(), at(2 * HOUR)],
          [paid, at(30 * DAY)],
        ],
        start,
      );
      expect(later.membership).toMatchObject({
        status: "cancelled",
        ended_by,
        cancelled_at: at(HOUR),
        cancel_confirmed_at: null,
      });
      expect(last!.payments).toHaveLength(2);
      expect(last!.receipts).toEqual([]);
      expect(last!.problems).toMatchObject([{ kind: "paid_after_end" }]);
      const { known: told } = settleAll([[snapshotOf({ state: "cancelled" }), at(31 * DAY)]], later);
      expect(told.membership!.cancel_confirmed_at).toEqual(at(31 * DAY));
    },
  );

  test("must be cancelled at the provider while that might still charge, never in the test mode", () => {
    const one = { provider: "paypal", plan_type: "monthly", provider_state: "active" };
    expect(mustCancelAtProvider(one)).toBe(true);
    expect(mustCancelAtProvider({ ...one, provider_state: "suspended" })).toBe(true);
    for (const other of [
      { provider: "test" },
      { plan_type: "lifetime" },
      { provider_state: "cancelled" },
      { provider_state: "expired" },
    ])
      expect(mustCancelAtProvider({ ...one, ...other })).toBe(false);
    const testing = newState({ ...checkout, provider: "test" }, held);
    expect(settle(testing, snapshotOf(), NOW)!.membership).toMatchObject({
      ended_by: "paid_twice",
      cancel_requested_at: null,
    });
  });
});

describe("nothing goes backwards", () => {
  test("a snapshot that the provider dates earlier than the last one is ignored, and so is a reading that began earlier", () => {
    const { known } = settleAll([[snapshotOf({ as_of: at(-HOUR), state: "cancelled" }), NOW]]);
    expect(settle(known, snapshotOf({ as_of: at(-2 * HOUR) }), at(HOUR))).toBeNull();
    expect(settle(known, snapshotOf({ as_of: at(-HOUR) }), at(-1))).toBeNull();
    expect(settle(known, snapshotOf({ as_of: at(-HOUR) }), NOW)).not.toBeNull();
  });

  test("a payment goes from pending to paid to refunded, or by the provider's clock where it has one", () => {
    const seen = (status: Payment["status"], as_of: Date | null = null) =>
      snapshotOf({ payments: [payment(NOW, { status, as_of })] });
    const last = (...readings: Snapshot[]) =>
      settleAll(readings.map((one, i) => [one, at(i)])).known.payments[0]?.status;
    expect(last(seen("completed"), seen("pending"))).toBe("completed");
    expect(last(seen("refunded"), seen("completed"))).toBe("refunded");
    expect(last(seen("completed"), seen("partially_refunded"), seen("refunded"))).toBe("refunded");
    // A reversal may be undone by the bank: the provider's clock decides.
    expect(last(seen("reversed", at(1)), seen("completed", at(2)))).toBe("completed");
    expect(last(seen("reversed", at(2)), seen("completed", at(1)))).toBe("reversed");
  });

  test("settling the same snapshot again changes nothing", () => {
    const status = fc.constantFrom<Payment["status"]>(
      "pending",
      "completed",
      "failed",
      "partially_refunded",
      "refunded",
      "reversed",
    );
    const paid = fc.record({ status, day: fc.integer({ min: -70, max: 0 }) });
    const state = fc.constantFrom<Snapshot["state"]>(
      "pending",
      "active",
      "suspended",
      "cancelled",
      "expired",
      "failed",
    );
    const date = fc.option(fc.integer({ min: -40, max: 40 }).map((day) => at(day * DAY)));
    const held = fc.constantFrom(null, monthly(at(DAY)), monthly(at(-DAY)), lifetime());
    const read = fc.array(
      fc.record({ state, date, paid: fc.uniqueArray(paid, { selector: ({ day }) => day, maxLength: 3 }) }),
      { minLength: 1, maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.constantFrom(checkout, life), held, fc.boolean(), read, (of, other, charges_later, readings) => {
        const snapshots = readings.map(({ state, date, paid }): [Snapshot, Date] => [
          snapshotOf({
            state,
            charges_later,
            plan_type: of.plan_type as "monthly",
            next_billing_date: date,
            payments: paid.map(({ status, day }) => payment(at(day * DAY), { status, amount: of.amount })),
          }),
          NOW,
        ]);
        const { known } = settleAll(snapshots, newState(of, other));
        const again = settle(known, snapshots.at(-1)![0], NOW)!;
        const after = nextState(known, again, NOW);
        expect(after).toEqual(known);
        expect(again.receipts).toEqual([]);
      }),
    );
  });
});
