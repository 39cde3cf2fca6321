import fc from "fast-check";
import { expect, test } from "vitest";
import { FULL_RUN } from "#test/full-run.ts";
import { endGold, goldUntil, grantGold } from "#test/gold.ts";
import {
  app,
  begun,
  cancel,
  DAY,
  deliver,
  lastSale,
  membershipRows,
  pay,
  paypal,
  reconcile,
  withPayments,
} from "#test/payment-app.ts";

withPayments({ start: new Date("2027-05-10T09:30:00.000Z") });

/** Possible changes of a psychologist's Gold. The server refuses some of them at some moments. */
const ACTS = ["pay", "refund", "cancel", "read", "grant a month", "grant a year", "end"] as const;

/**
 * Calculates when Gold has to end: the latest end of the current membership and of the grants that were not ended
 * early.
 */
async function expected(person: Parameters<typeof membershipRows>[0]): Promise<number | null> {
  const [active] = (await membershipRows(person)).filter(({ status }) => status === "active");
  const grants = await app.sql<{ ends_at: Date | null }>(
    "select ends_at from gold_grants where psychologist_id = $1 and ended_at is null",
    [person.id],
  );
  const ends = [
    // A month that renews lasts 3 days longer.
    ...(active ? [active.next_billing_date!.getTime() + 3 * DAY] : []),
    ...grants.map(({ ends_at }) => ends_at!.getTime()),
  ];
  return ends.length ? Math.max(...ends) : null;
}

test("keeps Gold until the later end for any order of payments, readings, cancellations and grants", async () => {
  const history = fc.array(fc.constantFrom(...ACTS), { minLength: 2, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(history, async (acts) => {
      const made = await begun("monthly", "paypal");
      const { person, external, checkout } = made;
      for (const act of acts) {
        const subscription = paypal.subscriptions.get(external)!;
        if (act === "pay" && subscription.status === "APPROVAL_PENDING")
          await deliver(await pay("monthly", "paypal", external));
        if (act === "refund" && subscription.sales.some(({ state }) => state === "completed"))
          await deliver(await paypal.refund(lastSale(external)));
        const [membership] = await membershipRows(person);
        if (act === "cancel" && membership) await cancel(person, membership.id);
        if (act === "read") await reconcile(person, checkout);
        if (act === "grant a month") await grantGold(person, "2027-06-20");
        if (act === "grant a year") await grantGold(person, "2028-05-20");
        if (act === "end") await endGold(person);
        const until = (await goldUntil(person)) as Date | null;
        expect([act, until?.getTime() ?? null]).toEqual([act, await expected(person)]);
      }
    }),
    { numRuns: FULL_RUN ? 60 : 12 },
  );
});
