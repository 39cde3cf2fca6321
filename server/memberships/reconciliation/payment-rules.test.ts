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
    [
      "reversed",
      "after its dispute is won and the money went back",
      [
        { status: "reversed", ...open },
        { ...won, status: "refunded" },
      ],
    ],
    ["completed", "if an older view shows it as pending", [{}, { status: "pending" }]],
    ["refunded", "if an older view shows it as paid", [{ status: "refunded" }, {}]],
    ["refunded", "without a clock", [{ provider_updated_at: at(1) }, { status: "refunded" }]],
    // A reversal may be undone by the bank.
    [
      "completed",
      "by a later clock",
      [{ status: "reversed", provider_updated_at: at(1) }, { provider_updated_at: at(2) }],
    ],
    [
      "reversed",
      "by an earlier clock",
      [{ status: "reversed", provider_updated_at: at(2) }, { provider_updated_at: at(1) }],
    ],
  ] as [string, string, Partial<SnapshotPayment>[]][])("returns %s %s", (status, _when, seen) => {
    expect(merged(...seen)).toMatchObject([{ status }]);
  });

  test.each(["won", "lost"] as const)("keeps a dispute that was %s until another opens", (end) => {
    const ended = { ...open, dispute: end };
    expect(merged(open, ended, open)).toMatchObject([ended]);
    const another = { dispute: "open", external_dispute_id: "E" } as const;
    expect(merged(ended, another)).toMatchObject([another]);
  });

  test("keeps its dispute if that was not requested, and shows the latest refunded amount", () => {
    expect(merged({ ...won }, { dispute: undefined })).toMatchObject([won]);
    const part = { status: "partially_refunded", refunded_amount: 100 } as const;
    expect(merged(part, { ...part, refunded_amount: 200 })).toMatchObject([{ refunded_amount: 200 }]);
  });
});
