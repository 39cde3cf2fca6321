import { expect, test } from "vitest";
import type { MembershipView } from "#shared/memberships.ts";
import { historyStatusText } from "./membership-status-text.ts";

const month = {
  plan_type: "monthly",
  provider: "paypal",
  amount: 499,
  currency: "USD",
  in_force: true,
  ended_by: null,
  next_billing_date: "2027-03-01T10:00:00.000Z",
} as MembershipView;

test("shows the reason for the end of a membership in the history", () => {
  const ended = {
    ...month,
    in_force: false,
    membership_status: "ended",
    cancelled_at: "2027-02-03T10:00:00.000Z",
  } as const;
  const words = (ended_by: MembershipView["ended_by"]) => historyStatusText({ ...ended, ended_by });
  expect(words("person")).toBe("La cancelaste el 3 de febrero de 2027");
  expect(words("provider")).toBe("Terminó el 3 de febrero de 2027");
  expect(words("replaced")).toBe("Terminó el 3 de febrero de 2027: la reemplazó otra");
  expect(words("admin")).toBe("La terminó el equipo el 3 de febrero de 2027");
  expect(words("mismatch")).toBe("No da Gold: no coincide con el plan");
  expect(historyStatusText({ ...ended, ended_by: null, membership_status: "past_due" })).toContain(
    "Sin Gold: en pausa",
  );
});
