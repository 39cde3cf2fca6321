import { describe, expect, test } from "vitest";
import { at, DAY, lifetimeOffer, NOW, offer, payment, snapshotOf } from "#test/reconciliation-fixtures.ts";
import type { Payment } from "../../integrations/payment-provider.ts";
import { isUnreadableProblem, mismatchOf, problemsOf } from "./problem-rules.ts";

const NO_END = { state: "active", end_wanted_at: null, end_confirmed_at: null, end_closed_at: null };
/** The problems of payments that were accepted before. */
const problems = (payments: Payment[], more: Partial<Parameters<typeof problemsOf>[0]> = {}) =>
  problemsOf({
    ...{ offer, payments, reported: [], snapshot: snapshotOf({ payments }), mismatch: null, accepted: payments },
    ...{ membership: null, end: NO_END, now: NOW },
    ...more,
  });
const kinds = (...given: Parameters<typeof problems>) => problems(...given).map(({ kind }) => kind);

describe("a payment after the end", () => {
  const ended = { ended_by: "person" as const, cancelled_at: NOW, next_billing_date: at(20 * DAY) };
  const ranOut = { ...ended, next_billing_date: at(-5 * DAY) };
  test.each([
    [true, "made after it", ended, payment(at(1))],
    [false, "made before it", ended, payment(at(-DAY))],
    [false, "of a month that ended by itself", { ...ended, ended_by: "provider" as const }, payment(at(1))],
    [false, "given back", ended, payment(at(1), { status: "refunded" })],
    // The month had run out: a payment near its date was not known, the one a month before it was.
    [true, "of the time after a month that had run out", ranOut, payment(at(-4 * DAY))],
    [false, "of the month that had run out", ranOut, payment(at(-35 * DAY))],
    [false, "of time that was over", { ...ended, next_billing_date: at(-60 * DAY) }, payment(at(-50 * DAY))],
    [false, "before an end without a date", { ...ended, next_billing_date: null }, payment(at(-DAY))],
  ])("is a problem: %s, %s", (isProblem, _what, membership, one) => {
    expect(kinds([one], { membership })).toEqual(isProblem ? ["payment_after_end"] : []);
  });
});

test("reports a refund of an earlier month, not of lifetime or of a payment that never arrived", () => {
  const [earlier, later] = [payment(at(-40 * DAY), { status: "refunded" }), payment(NOW)];
  expect(kinds([earlier, later])).toEqual(["previous_period_refund"]);
  expect(kinds([later])).toEqual([]);
  expect(kinds([{ ...earlier, status: "failed" }, later])).toEqual([]);
  const prices = [earlier, later].map((one) => ({ ...one, amount: 4999 }));
  expect(kinds(prices, { offer: lifetimeOffer })).toEqual([]);
});

test("reports a chargeback", () => {
  expect(kinds([payment(NOW, { status: "reversed", dispute: "won" })])).toEqual(["chargeback"]);
});

test.each([
  [true, [payment(NOW)], null],
  [true, [], { amount: 499, currency: "USD", paid_at: NOW }],
  [false, [], null],
  [false, [payment(NOW, { status: "refunded" })], { amount: 499, currency: "USD", paid_at: NOW }],
])("reports a second payment until it is refunded: %s", (isKept, payments, last_payment) => {
  const membership = { ended_by: "duplicate_payment" as const, cancelled_at: at(DAY), next_billing_date: null };
  const snapshot = snapshotOf({ payments, last_payment });
  expect(kinds(payments, { membership, snapshot })).toEqual(isKept ? ["duplicate_payment"] : []);
});

test("reports payments that cannot be read, and how a payment differed before its provider answered 404", () => {
  expect(kinds([], { snapshot: snapshotOf({ payments: [], unreadable_payments: 1 }) })).toEqual(["unreadable"]);
  const paid = payment(NOW);
  const reported = [{ external_id: paid.external_payment_id, reason: "owner" as const }];
  const gone = { snapshot: snapshotOf({ state: "gone", payments: [] }), accepted: [], reported };
  expect(problems([paid], gone)).toMatchObject([{ kind: "mismatch", reason: "owner" }]);
  expect(kinds([paid], { ...gone, snapshot: snapshotOf() })).toEqual([]);
  expect(kinds([payment(NOW, { status: "failed" })], gone)).toEqual([]);
  expect(kinds([paid], { ...gone, offer: { ...offer, owner_confirmed_at: NOW } })).toEqual([]);
  // Another payment of the same membership differs likewise, if that one ended as a mismatch.
  const other = [{ external_id: "other", reason: "altered" as const }];
  const membership = { ended_by: "mismatch" as const, cancelled_at: NOW, next_billing_date: null };
  expect(problems([paid], { ...gone, reported: other, membership })).toMatchObject([{ reason: "altered" }]);
  expect(kinds([paid], { ...gone, reported: other })).toEqual([]);
});

test.each([
  [0, "active", at(-1), false],
  [1, "active", at(-1), true],
  [1, "active", at(1), false],
  [1, "active", null, false],
  [1, "cancelled", at(-1), false],
  [2, null, null, false],
  [3, null, null, true],
])("%i failed readings of status %s with the date %s are a problem: %s", (failures, status, date, isProblem) => {
  expect(isUnreadableProblem(failures, { status, next_billing_date: date }, NOW)).toBe(isProblem);
});

test("a subscription names its checkout, unless the administrator confirmed the owner", () => {
  expect(mismatchOf(offer, snapshotOf())).toBeNull();
  expect(mismatchOf(offer, snapshotOf({ reference: "another" }))).toBe("owner");
  expect(mismatchOf({ ...offer, owner_confirmed_at: NOW }, snapshotOf({ reference: "another" }))).toBeNull();
  expect(mismatchOf({ ...offer, psychologist_id: null }, snapshotOf({ reference: "another" }))).toBeNull();
});
