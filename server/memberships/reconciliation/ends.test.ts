import { describe, expect, test } from "vitest";
import {
  at,
  DAY,
  HOUR,
  inForce,
  lifetime,
  lifetimeOffer,
  lifetimePayment,
  lifetimeSnapshot,
  monthly,
  NOW,
  newState,
  offer,
  payment,
  reconcileAll,
  snapshotOf,
  standing,
} from "#test/reconciliation-fixtures.ts";
import type { Membership } from "../rules.ts";
import { isLongUnconfirmed } from "./problem-rules.ts";
import { planReconciliation } from "./rules.ts";

describe("a refund", () => {
  test.each([
    ["a full refund", { status: "refunded" as const, refunded_amount: 499 }],
    ["a reversal", { status: "reversed" as const }],
    ["a lost dispute", { dispute: "lost" as const, external_dispute_id: "D" }],
  ])("%s ends Gold at once, and is followed by a cancellation at the provider", (_what, change) => {
    const { known, last } = reconcileAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW, change)] }), at(DAY)],
    ]);
    expect(known.membership).toMatchObject({
      status: "cancelled",
      ended_by: "refund",
      cancelled_at: at(DAY),
      end_wanted_at: at(DAY),
    });
    expect(standing(known, at(DAY))).toBe("revoked");
    expect(last!.payments).toEqual([payment(NOW, change)]);
  });

  test("ends a membership whose terms were altered", () => {
    const refunded = lifetimeSnapshot({ altered: true, payments: [lifetimePayment({ status: "refunded" })] });
    const { known } = reconcileAll(
      [
        [lifetimeSnapshot(), NOW],
        [refunded, at(DAY)],
      ],
      newState(lifetimeOffer),
    );
    expect(known.membership).toMatchObject({ status: "cancelled", ended_by: "refund", end_wanted_at: null });
  });

  test.each([
    ["a partial refund", { status: "partially_refunded" as const, refunded_amount: 100 }, "partial_refund"],
    ["an open dispute", { dispute: "open" as const, external_dispute_id: "D" }, "dispute"],
  ])("%s reports a problem, and Gold stays", (_what, change, kind) => {
    const { known, last } = reconcileAll([
      [snapshotOf(), NOW],
      [snapshotOf({ payments: [payment(NOW, change)] }), at(DAY)],
    ]);
    expect(inForce(known, at(DAY))).toBe(true);
    expect(last!.problems).toEqual([{ kind, payment: payment(NOW).external_payment_id, reason: null }]);
  });

  test("reports a refund that the provider does not show", () => {
    expect(planReconciliation(newState(), snapshotOf({ unseen: [{ type: "reversal", id: "S1" }] }), NOW)).toMatchObject(
      {
        membership: { status: "active" },
        problems: [{ kind: "reversal", payment: "S1" }],
      },
    );
  });
});

describe("a month that its provider shows as active again", () => {
  const paidAgain = snapshotOf({ payments: [payment(NOW), payment(at(30 * DAY))] });
  test.each([
    ["gone", 1, snapshotOf()],
    ["suspended", 1, snapshotOf()],
    ["gone", 40, paidAgain],
    ["suspended", 40, paidAgain],
    ["cancelled", 40, paidAgain],
  ] as const)("stays active after it was %s, %i days after its first payment", (state, days, again) => {
    const { known, last } = reconcileAll([
      [snapshotOf(), NOW],
      [snapshotOf({ state, payments: [] }), at(days * DAY)],
      [again, at((days + 1) * DAY)],
      [again, at((days + 2) * DAY)],
    ]);
    expect(known.membership).toMatchObject({
      status: "active",
      ended_by: null,
      cancelled_at: null,
      end_wanted_at: null,
    });
    expect(last!.problems).toEqual([]);
    expect(standing(known, at((days + 2) * DAY))).toBe("active");
  });
});

describe("lifetime", () => {
  test.each(["cancelled", "expired", "suspended"] as const)(
    "outlasts its subscription at the provider: %s changes nothing",
    (state) => {
      const { known } = reconcileAll(
        [
          [lifetimeSnapshot(), NOW],
          [lifetimeSnapshot({ state }), at(365 * DAY)],
        ],
        newState(lifetimeOffer),
      );
      expect(inForce(known, at(40 * 365 * DAY))).toBe(true);
      expect(standing(known, at(DAY))).toBe("active");
    },
  );

  test("replaces a monthly membership; the other way round it was paid twice", () => {
    const held = monthly(at(DAY));
    expect(planReconciliation(newState(lifetimeOffer, held), lifetimeSnapshot(), NOW)).toMatchObject({
      replacesCurrent: true,
      membership: { status: "active" },
    });
    expect(planReconciliation(newState(offer, lifetime()), snapshotOf(), NOW)).toMatchObject({
      replacesCurrent: false,
      membership: { status: "cancelled", ended_by: "duplicate_payment" },
      end_wanted_at: NOW,
      problems: [{ kind: "duplicate_payment", payment: null }],
      receipts: [],
    });
  });
});

describe("an end decided here is final", () => {
  const held = monthly(at(DAY));

  test("a membership paid twice while Gold is in force is stored as cancelled; a month that is over is replaced", () => {
    const twice = reconcileAll(
      [
        [snapshotOf(), NOW],
        [snapshotOf({ payments: [payment(NOW), payment(at(30 * DAY))] }), at(30 * DAY)],
      ],
      newState(offer, held),
    );
    expect(twice.known.membership).toMatchObject({ status: "cancelled", ended_by: "duplicate_payment" });
    expect(twice.last!.problems).toMatchObject([
      { kind: "payment_after_end", payment: payment(at(30 * DAY)).external_payment_id },
      { kind: "duplicate_payment" },
      { kind: "cancellation_unconfirmed" },
    ]);
    expect(planReconciliation(newState(offer, monthly(at(0))), snapshotOf(), NOW)).toMatchObject({
      replacesCurrent: true,
      membership: { status: "active" },
    });
  });

  test("ended by its owner, no snapshot brings it back; one that is over confirms the cancellation", () => {
    const { known } = reconcileAll([[snapshotOf(), NOW]]);
    const ended: Membership = {
      ...known.membership!,
      status: "cancelled",
      ended_by: "person",
      cancelled_at: at(HOUR),
      end_wanted_at: at(HOUR),
    };
    const start = { ...known, offer: { ...known.offer, end_wanted_at: at(HOUR) }, membership: ended };
    const paid = snapshotOf({ payments: [payment(NOW), payment(at(30 * DAY))] });
    const { known: later, last } = reconcileAll(
      [
        [snapshotOf(), at(2 * HOUR)],
        [paid, at(30 * DAY)],
      ],
      start,
    );
    expect(later.membership).toMatchObject({
      status: "cancelled",
      ended_by: "person",
      cancelled_at: at(HOUR),
      end_confirmed_at: null,
    });
    expect(last!.payments).toHaveLength(2);
    expect(last!.receipts).toEqual([]);
    expect(last!.problems).toMatchObject([{ kind: "payment_after_end" }, { kind: "cancellation_unconfirmed" }]);
    const { known: told } = reconcileAll([[snapshotOf({ state: "cancelled" }), at(31 * DAY)]], later);
    expect(told.membership!.end_confirmed_at).toEqual(at(31 * DAY));
  });

  test("wants the end of a month that ran out, may still be charged, and has another one in its place", () => {
    const { known } = reconcileAll([[snapshotOf(), NOW]]);
    const later = at(60 * DAY);
    const suspended = snapshotOf({ state: "suspended" });
    expect(planReconciliation(known, suspended, later)).toMatchObject({ end_wanted_at: null });
    expect(planReconciliation({ ...known, current: monthly(at(70 * DAY)) }, suspended, later)).toMatchObject({
      membership: { status: "cancelled", ended_by: "provider" },
      end_wanted_at: later,
    });
  });

  test("wants the end of what is paid for a deleted account, and reports the payment", () => {
    const deleted = newState({ ...offer, psychologist_id: null });
    expect(planReconciliation(deleted, snapshotOf({ payments: [payment(at(HOUR))] }), at(DAY))).toMatchObject({
      membership: { status: "cancelled", ended_by: "person" },
      end_wanted_at: at(DAY),
      problems: [{ kind: "payment_after_end" }],
    });
    expect(planReconciliation(deleted, snapshotOf({ payments: [] }), at(DAY))).toMatchObject({
      membership: null,
      end_wanted_at: at(DAY),
    });
  });
});

describe("an end that is not confirmed", () => {
  test.each([
    ["a problem after an hour", {}, true],
    ["no problem 1 ms before", { end_wanted_at: at(1 - HOUR) }, false],
    ["no problem before the buyer's approval", { state: "pending" }, false],
    ["no problem once it is confirmed", { end_confirmed_at: NOW }, false],
    ["no problem once the administrator has closed it", { end_closed_at: NOW }, false],
  ])("causes %s", (_what, differs, isProblem) => {
    const end = { state: "active", end_wanted_at: at(-HOUR), end_confirmed_at: null, end_closed_at: null };
    expect(isLongUnconfirmed({ ...end, ...differs }, NOW)).toBe(isProblem);
  });
});

test("ignores a snapshot with an earlier date than the last", () => {
  const { known } = reconcileAll([[snapshotOf({ provider_updated_at: at(-HOUR), state: "cancelled" }), NOW]]);
  expect(planReconciliation(known, snapshotOf({ provider_updated_at: at(-2 * HOUR) }), at(HOUR))).toBeNull();
  expect(planReconciliation(known, snapshotOf({ provider_updated_at: at(-HOUR) }), NOW)).not.toBeNull();
});
