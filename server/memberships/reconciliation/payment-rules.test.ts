import { describe, expect, test } from "vitest";
import { at, NOW, payment, snapshotOf } from "#test/reconciliation-fixtures.ts";
import type { Payment, Snapshot, SnapshotPayment } from "../../integrations/payment-provider.ts";
import { hasPendingPayment, mergePayments } from "./payment-rules.ts";

test.each([
  [true, { payments: [payment(NOW, { status: "pending" })] }],
  [true, { payments: [], charges_later: true }],
  [false, { payments: [], charges_later: true, state: "suspended" }],
  [false, { payments: [payment(NOW), payment(at(1), { status: "failed" })] }],
] as [boolean, Partial<Snapshot>][])("a payment has begun and is not complete: %s, %o", (isPending, more) => {
  expect(hasPendingPayment(snapshotOf(more))).toBe(isPending);
});

describe("a payment that is read again", () => {
  const open = { dispute: "open", external_dispute_id: "D" } as const;
  const won = { ...open, dispute: "won" } as const;
  const merged = (...seen: Partial<SnapshotPayment>[]) =>
    seen.reduce<Payment[]>(
      (known, more) => mergePayments(known, [{ ...payment(NOW), ...more } as SnapshotPayment]),
      [],
    );

  test.each([
    ["completed", "when its dispute is won", [{ status: "reversed", ...open }, { ...won }]],
    ["reversed", "while its dispute is open", [{ status: "reversed", ...open }, { ...open }]],
    ["reversed", "after its dispute was won before", [{ ...won }, { status: "reversed", ...won }, { ...won }]],
    ["refunded", "without a clock", [{ provider_updated_at: at(1) }, { status: "refunded" }]],
  ] as [string, string, Partial<SnapshotPayment>[]][])("returns %s %s", (status, _when, seen) => {
    expect(merged(...seen)).toMatchObject([{ status }]);
  });

  test("keeps its dispute if that was not requested, and shows the latest refunded amount", () => {
    expect(merged({ ...won }, { dispute: undefined })).toMatchObject([won]);
    const part = { status: "partially_refunded", refunded_amount: 100 } as const;
    expect(merged(part, { ...part, refunded_amount: 200 })).toMatchObject([{ refunded_amount: 200 }]);
  });
});
