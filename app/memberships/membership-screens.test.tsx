import { describe, expect, test } from "vitest";
import type { CheckoutView, MembershipView, PlansView } from "#shared/memberships.ts";
import { CANCELLATION_STATUSES } from "#shared/plans.ts";
import { markup } from "#test/markup.tsx";
import {
  CancelledMembership,
  MembershipCard,
  MembershipHistory,
  OpenAtProvider,
  UnconfirmedCancellations,
} from "./membership-card.tsx";
import { historyStatusText } from "./membership-status-text.ts";
import { MembershipSummary } from "./membership-summary.tsx";
import { PendingPaymentMessage, UnfinishedPayment } from "./pending-payment.tsx";

const nothing = () => {};
const checkout = { id: "one", method: "paypal", plan_type: "monthly" } as CheckoutView;
const month = {
  id: "m",
  plan_type: "monthly",
  provider: "paypal",
  external_subscription_id: "I-1",
  amount: 499,
  currency: "USD",
  membership_status: "active",
  in_force: true,
  next_billing_date: "2027-03-01T10:00:00.000Z",
  cancelled_at: "2027-02-03T10:00:00.000Z",
  created_at: "2027-02-01T10:00:00.000Z",
  provider_cancellation: "not_needed",
  payments: [],
  can: { cancel: true, upgrade: true },
} as unknown as MembershipView;
const plans = { membership: month, granted: null, promotion: null } as unknown as PlansView;

describe("an unconfirmed payment", () => {
  test.each([
    ["confirming", 30, false, true, true],
    ["unreachable", 30, false, true, true],
    ["confirming", 29, false, false, false],
    ["confirming", 30, true, true, false],
    ["unfinished", 30, false, false, false],
    ["review", 30, false, false, false],
    ["refused", 30, false, false, false],
  ] as const)(
    "%s after %i polls, awaited %s: offers a check %s, says that nothing was paid %s",
    (kind, polls, payment_pending, checks, forgets) => {
      const pending = { kind, polls, outcome: "paid", checkout: { ...checkout, payment_pending } } as const;
      const text = markup(<PendingPaymentMessage pending={pending} onCheck={nothing} onForget={nothing} />);
      expect([text.includes("Comprobar ahora"), text.includes("No llegué a pagar")]).toEqual([checks, forgets]);
    },
  );

  test.each([true, false])(
    "offers another way to pay only if the provider shows the payment as pending: %s",
    (payment_pending) => {
      const payment = { ...checkout, payment_pending };
      const text = markup(<UnfinishedPayment payment={payment} upgrade={false} onPayAnotherWay={nothing} />);
      expect(text.includes("Pagar de otra manera")).toBe(payment_pending);
    },
  );
});

test.each(CANCELLATION_STATUSES)(
  "promises no more charges only if the provider may not charge any more: %s",
  (provider_cancellation) => {
    const cancelled = { ...month, provider_cancellation };
    const isOpen = ["waiting", "closed"].includes(provider_cancellation);
    const message = markup(<CancelledMembership membership={cancelled} focused={false} />);
    expect(message.includes("No se te cobrará nada más.")).toBe(!isOpen);
    const text = markup(<UnconfirmedCancellations memberships={[cancelled]} />);
    expect(text.includes("PayPal")).toBe(isOpen);
    expect(text.includes('name="id" value="I-1"')).toBe(provider_cancellation === "waiting");
  },
);

test("offers a cancellation of a membership without Gold only if it is open at the provider", () => {
  const shown = (in_force: boolean, cancel: boolean) =>
    markup(<OpenAtProvider memberships={[{ ...month, in_force, can: { cancel, upgrade: false } }]} />);
  expect(shown(false, true)).toContain('name="id" value="m"');
  for (const other of [shown(true, true), shown(false, false)]) expect(other).toBe("");
});

test.each(["active", "ending"] as const)(
  "offers to cancel a membership unless it ends already: %s",
  (membership_status) => {
    const membership = { ...month, membership_status };
    for (const text of [
      markup(<MembershipCard membership={membership} granted={null} cancelling={false} />),
      markup(<MembershipSummary plans={{ ...plans, membership }} hasGold />),
    ])
      expect(text.includes("/planes?cancelar=1")).toBe(membership_status === "active");
  },
);

test("shows what a cancellation ends, with and without Gold of the team", () => {
  const granted = { ends_at: null };
  const asked = (more: object, gold: typeof granted | null = null) =>
    markup(<MembershipCard membership={{ ...month, ...more }} granted={gold} cancelling />);
  expect(asked({})).toContain("No hay devoluciones.");
  expect(asked({ provider: "test" })).toContain("En modo de prueba no se ha cobrado dinero.");
  expect(asked({}, granted)).toContain(
    "aunque ya hayas pagado el mes, y no hay devoluciones. Lo que te otorgó el equipo sigue: tienes Gold sin fecha de fin.",
  );
  expect(asked({ provider: "test" }, granted)).toContain("Tu plan termina en este momento. Lo que");
  expect(markup(<MembershipSummary plans={{ ...plans, membership: null, granted }} hasGold />)).toContain(
    "Gold sin fecha de fin, otorgado por el equipo. No pagas nada.",
  );
});

test.each([
  [{ ended_by: "person" }, "La cancelaste el 3 de febrero de 2027"],
  [{ ended_by: "provider" }, "Terminó el 3 de febrero de 2027"],
  [{ ended_by: "replaced" }, "Terminó el 3 de febrero de 2027: la reemplazó otra"],
  [{ ended_by: "admin" }, "La terminó el equipo el 3 de febrero de 2027"],
  [{ ended_by: "mismatch" }, "No da Gold: no coincide con el plan"],
  [{ membership_status: "past_due" }, "Sin Gold: en pausa, sin el cobro del mes"],
] as const)("shows the reason for the end of a membership in the history: %j", (end, words) => {
  const ended = { ...month, in_force: false, membership_status: "ended", ended_by: null } as const;
  expect(historyStatusText({ ...ended, ...end })).toBe(words);
});

test("marks a disputed payment in the history", () => {
  const payment = {
    external_payment_id: "p",
    amount: 499,
    currency: "USD",
    status: "completed",
    created_at: month.created_at,
  };
  const shown = (disputed: boolean) =>
    markup(<MembershipHistory memberships={[{ ...month, payments: [{ ...payment, disputed }] } as MembershipView]} />);
  expect(shown(true)).toContain("pagado, en disputa");
  expect(shown(false)).not.toContain("en disputa");
});
