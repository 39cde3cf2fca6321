import { describe, expect, test } from "vitest";
import {
  at,
  DAY,
  HOUR,
  inForce,
  lifetimeOffer,
  lifetimeSnapshot,
  NOW,
  newState,
  offer,
  payment,
  reconcileAll,
  snapshotOf,
  standing,
} from "#test/reconciliation-fixtures.ts";
import type { Snapshot } from "../../integrations/payment-provider.ts";
import { MONTH, monthAfter, PROVISIONAL_ACCESS } from "./entitlement-rules.ts";
import { mismatchOf } from "./problem-rules.ts";
import { planReconciliation } from "./rules.ts";

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
    expect(planReconciliation(newState(), snapshotOf(), NOW)).toMatchObject({
      membership: { status: "active", ended_by: null, next_billing_date: at(30 * DAY) },
      receipts: [payment(NOW).external_payment_id],
      replacesCurrent: false,
      problems: [],
    });
    const own = new Date("2026-12-21T10:00:00.000Z");
    expect(
      planReconciliation(newState(), snapshotOf({ next_billing_date: own }), NOW)?.membership?.next_billing_date,
    ).toEqual(own);
  });

  test.each([
    ["in the past just after activation", at(-HOUR)],
    ["within a day of the payment", at(DAY)],
    ["five days beyond a month after the payment", at(35 * DAY)],
    ["months ahead of the payment", at(65 * DAY)],
  ])("ends a month after the payment for a next date %s", (_what, own) => {
    expect(
      planReconciliation(newState(), snapshotOf({ next_billing_date: own }), NOW)?.membership?.next_billing_date,
    ).toEqual(monthAfter(NOW));
  });

  test("ends a month without a next date after thirty days while it is active, else on the day of its payment", () => {
    const paid_at = new Date("2026-12-15T12:00:00.000Z");
    const earlier = payment(new Date("2026-10-31T12:00:00.000Z"));
    const end = (state: Snapshot["state"]) =>
      planReconciliation(newState(), snapshotOf({ state, payments: [earlier, payment(paid_at)] }), paid_at)?.membership
        ?.next_billing_date;
    expect(end("active")).toEqual(new Date("2027-01-14T12:00:00.000Z"));
    expect(end("cancelled")).toEqual(new Date("2027-01-15T12:00:00.000Z"));
  });

  test("stores no payment in another currency or of nothing, and mails no receipt for less than the price", () => {
    const less = payment(at(1), { amount: 100 });
    const payments = [payment(NOW), less, payment(at(2), { currency: "EUR" }), payment(at(3), { amount: 0 })];
    expect(planReconciliation(newState(), snapshotOf({ payments }), at(HOUR))).toMatchObject({
      payments: [payment(NOW), less],
      receipts: [payment(NOW).external_payment_id],
    });
  });

  test("begins lifetime once it is paid, also if only the subscription shows the payment", () => {
    const last_payment = { amount: 4999, currency: "USD", paid_at: NOW };
    const shown = (more: Partial<Snapshot>) =>
      planReconciliation(newState(lifetimeOffer), lifetimeSnapshot({ payments: [], ...more }), NOW)?.membership;
    expect(shown({})).toBeNull();
    // Lifetime has no date even if the provider has one.
    const next_billing_date = at(MONTH);
    expect(shown({ last_payment, next_billing_date })).toMatchObject({ status: "active", next_billing_date: null });
  });

  test.each([
    ["pending", false],
    ["failed", false],
    ["active", true],
  ] as const)("compares its terms with the offer only after the approval: %s", (state, isCompared) => {
    const foreign = snapshotOf({ state, reference: "another", payments: [] });
    expect(planReconciliation(newState(), foreign, NOW)!.problems).toHaveLength(isCompared ? 1 : 0);
  });

  test.each([
    ["monthly", "active", false, true],
    ["monthly", "suspended", false, true],
    ["monthly", "cancelled", false, false],
    ["lifetime", "active", false, false],
    ["lifetime", "active", true, true],
  ] as const)(
    "ends another owner's subscription at the provider if it charges again: %s, %s, altered %s",
    (plan_type, state, altered, ends) => {
      const [of, shown] = plan_type === "monthly" ? [offer, snapshotOf()] : [lifetimeOffer, lifetimeSnapshot()];
      const foreign = { ...shown, state, altered, reference: "another" };
      expect(planReconciliation(newState(of), foreign, NOW)).toMatchObject({
        endsAsMismatch: ends,
        end_wanted_at: ends ? NOW : null,
      });
      // Its end was wanted before: nobody is notified again.
      const wanted = newState({ ...of, end_wanted_at: at(-DAY) });
      expect(planReconciliation(wanted, foreign, NOW)!.endsAsMismatch).toBe(false);
    },
  );

  test.each([
    ["before the approval", { state: "pending" as const, payments: [] }],
    ["after a refused payment", { state: "failed" as const, payments: [] }],
    ["without a payment", { payments: [] }],
    ["with a pending payment", { payments: [payment(NOW, { status: "pending" })] }],
    ["with a failed payment", { payments: [payment(NOW, { status: "failed" })] }],
    ["of a subscription that ended unpaid", { state: "cancelled" as const, payments: [] }],
  ])("grants nothing %s", (_what, shown) => {
    expect(planReconciliation(newState(), snapshotOf(shown), NOW)).toMatchObject({ membership: null, problems: [] });
  });

  test("wants no end of a subscription that was given up as unpaid and is paid after all", () => {
    const givenUp = newState({ ...offer, end_wanted_at: at(-DAY) });
    expect(planReconciliation(givenUp, snapshotOf({ payments: [] }), NOW)?.end_wanted_at).toEqual(at(-DAY));
    expect(planReconciliation(givenUp, snapshotOf(), NOW)).toMatchObject({
      membership: { status: "active" },
      end_wanted_at: null,
    });
  });

  test("counts a payment that the subscription shows before the list of payments does", () => {
    const told = snapshotOf({ payments: [], last_payment: { amount: 499, currency: "USD", paid_at: NOW } });
    expect(planReconciliation(newState(), told, NOW)).toMatchObject({
      membership: { status: "active", next_billing_date: at(MONTH) },
      payments: [],
      receipts: [],
    });
    const little = snapshotOf({ payments: [], last_payment: { amount: 498, currency: "USD", paid_at: NOW } });
    expect(planReconciliation(newState(), little, NOW)?.membership).toBeNull();
    // The refunded payment is the last one of the subscription.
    const back = snapshotOf({
      payments: [payment(NOW, { status: "refunded" })],
      last_payment: { amount: 499, currency: "USD", paid_at: at(1000) },
    });
    expect(planReconciliation(newState(), back, NOW)?.membership).toMatchObject({
      status: "cancelled",
      ended_by: "refund",
    });
  });

  test.each([
    ["another plan", { plan_type: "lifetime" }, "plan"],
    ["a plan that is none of ours", { plan_type: null }, "plan"],
    ["another person's id", { reference: "33333333-3333-4333-8333-333333333333" }, "owner"],
    ["no id", { reference: null }, "owner"],
    ["terms that were changed", { altered: true }, "altered"],
    ["less money", { price: { amount: 498, currency: "USD" } }, "amount"],
    ["another currency", { price: { amount: 499, currency: "ARS" } }, "currency"],
  ] as const)("grants nothing for %s, and reports a problem", (_what, difference, reason) => {
    const told = snapshotOf({ ...difference, payments: [payment(NOW), payment(at(HOUR))] });
    expect(mismatchOf(offer, told)).toBe(reason);
    // A lifetime plan of ours charges nothing more; everything else is ended at the provider.
    const willChargeAgain = told.plan_type !== "lifetime";
    expect(planReconciliation(newState(), told, NOW)).toMatchObject({
      membership: { status: "cancelled", ended_by: "mismatch", next_billing_date: null },
      end_wanted_at: willChargeAgain ? NOW : null,
      problems: told.payments.map(({ external_payment_id: id }) => ({ kind: "mismatch", payment: id, reason })),
      receipts: [],
      endsAsMismatch: willChargeAgain,
    });
    expect(planReconciliation(newState(), { ...told, payments: [] }, NOW)!.problems).toMatchObject([
      { kind: "mismatch", payment: null, reason },
    ]);
  });

  test.each([
    ["less", { amount: 498 }, "amount"],
    ["another currency", { currency: "ARS" }, "currency"],
  ] as const)("grants nothing for a payment of %s, and reports a problem", (_what, difference, reason) => {
    const short = payment(NOW, difference);
    const first = planReconciliation(newState(), snapshotOf({ payments: [short] }), NOW);
    const problem = { kind: "mismatch", payment: short.external_payment_id, reason };
    expect(first).toMatchObject({
      membership: { status: "cancelled", ended_by: "mismatch" },
      problems: [problem],
    });
    // As a renewal it extends nothing; the month before it stays.
    const renewed = payment(at(30 * DAY), difference);
    const { known, last } = reconcileAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW), renewed] }), at(30 * DAY)],
    ]);
    expect(last!.problems).toMatchObject([{ kind: "mismatch", payment: renewed.external_payment_id }]);
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: at(MONTH) });
  });

  test("keeps what was paid before a mismatch", () => {
    const { known, last } = reconcileAll([
      [snapshotOf(), NOW],
      [snapshotOf({ altered: true, next_billing_date: at(60 * DAY), payments: [payment(at(DAY))] }), at(DAY)],
    ]);
    expect(known.membership).toMatchObject({ status: "active", next_billing_date: at(MONTH), end_wanted_at: at(DAY) });
    expect(last).toMatchObject({ problems: [{ kind: "mismatch", reason: "altered" }] });
    // The problem follows from the state: the next reading finds it again.
    const again = planReconciliation(known, snapshotOf({ altered: true, payments: [payment(at(DAY))] }), at(2 * DAY));
    expect(again!.problems).toMatchObject([...last!.problems, { kind: "cancellation_unconfirmed" }]);
    // So does one after a 404, which shows no terms any more.
    const gone = planReconciliation(known, snapshotOf({ state: "gone", payments: [] }), at(3 * DAY));
    expect(gone!.problems).toEqual(last!.problems);
  });
});

describe("a renewal", () => {
  const due = new Date("2026-12-21T10:00:00.000Z");
  const began: [Snapshot, Date] = [snapshotOf({ next_billing_date: due }), NOW];

  test("extends to the provider's next date, with one receipt", () => {
    const next = new Date("2027-01-21T10:00:00.000Z");
    const renewed = snapshotOf({ next_billing_date: next, payments: [payment(NOW), payment(due)] });
    const { known, last } = reconcileAll([began, [renewed, due]]);
    expect(known.membership!.next_billing_date).toEqual(next);
    expect(last!.receipts).toEqual([payment(due).external_payment_id]);
    expect(planReconciliation(known, renewed, due)!.receipts).toEqual([]);
  });

  test("ends a month of the 31st on the last day of a shorter month, and returns to the 31st", () => {
    const january = new Date("2027-01-31T10:00:00.000Z");
    const february = new Date("2027-02-28T10:00:00.000Z");
    const march = new Date("2027-03-31T10:00:00.000Z");
    // The provider gives no usable date, so a calendar month counts.
    const first = snapshotOf({ payments: [payment(january)], next_billing_date: january });
    expect(planReconciliation(newState(), first, january)!.membership!.next_billing_date).toEqual(february);
    // Its usable date counts, although it is more than a month after the payment.
    const third = snapshotOf({ payments: [payment(january), payment(february)], next_billing_date: february });
    expect(planReconciliation(newState(), third, february)!.membership!.next_billing_date).toEqual(march);
    const second = snapshotOf({ payments: [payment(january), payment(february)], next_billing_date: march });
    expect(planReconciliation(newState(), second, february)!.membership!.next_billing_date).toEqual(march);
  });

  test.each(["suspended", "cancelled", "expired"] as const)(
    "ends Gold at its date once the provider shows %s",
    (state) => {
      // The provider gives no date any more: the one it gave before counts.
      const { known } = reconcileAll([
        began,
        [snapshotOf({ state }), at(DAY)],
        [snapshotOf({ state }), new Date(due.getTime() - 1)],
      ]);
      expect(known.membership).toMatchObject({ status: "active", next_billing_date: due });
      expect(inForce(known, new Date(due.getTime() - 1000))).toBe(true);
      expect(inForce(known, due)).toBe(false);
      expect(standing(known, at(2 * DAY))).toBe(state === "suspended" ? "past_due" : "ending");
      // First read days after its date.
      const { known: later } = reconcileAll([[snapshotOf({ state }), new Date(due.getTime() + 10 * DAY)]], known);
      expect(later.membership!.status).toBe(state === "suspended" ? "active" : "cancelled");
      if (state !== "suspended")
        expect(later.membership).toMatchObject({ ended_by: "provider", cancelled_at: due, end_wanted_at: null });
    },
  );
});

describe("provisional access", () => {
  const agreed = snapshotOf({ charges_later: true, payments: [], next_billing_date: at(HOUR) });
  const until = at(PROVISIONAL_ACCESS);

  test("lasts 72 hours from the first reading after the approval, to the second, and is given once", () => {
    expect(PROVISIONAL_ACCESS).toBe(72 * HOUR);
    const { known, last } = reconcileAll([
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

  test("gives a second subscription none after an unpaid first one, whose access continues", () => {
    const unpaid = snapshotOf({ charges_later: true, payments: [] });
    const had = { hadUnpaidProvisionalAccess: true };
    expect(planReconciliation({ ...newState(), ...had }, unpaid, NOW)!.membership).toBeNull();
    const { known } = reconcileAll([[unpaid, NOW]]);
    expect(planReconciliation({ ...known, ...had }, unpaid, at(HOUR))!.membership!.status).toBe("active");
  });

  test("ends when the provider subscription does, and is not for a provider that charges at once", () => {
    const { known } = reconcileAll([
      [agreed, NOW],
      [{ ...agreed, state: "cancelled" }, at(HOUR)],
    ]);
    expect(known.membership).toMatchObject({ status: "cancelled", ended_by: "provider" });
    expect(planReconciliation(newState(), { ...agreed, charges_later: false }, NOW)!.membership).toBeNull();
    expect(planReconciliation(newState(), { ...agreed, state: "suspended" }, NOW)!.membership).toBeNull();
  });
});
