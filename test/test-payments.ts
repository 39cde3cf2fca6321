/** The built application with the demo's test payments. Each test file calls `withTestPayments()` once. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import { openTestApp, type TestApp, type TestUser } from "./app.ts";

export let app: TestApp;
export let admin: TestUser;

export function withTestPayments(): void {
  beforeAll(async () => {
    app = await openTestApp({ workers: true });
    admin = await app.admin();
  });
  afterEach(() => app.setNow(null));
  afterAll(() => app.close());
}

export const plans = (as: TestUser | null) => app.call("GET", "/plans", undefined, as);
export const begin = (as: TestUser | null, plan_type = "monthly", method = "paypal") =>
  app.call("POST", "/checkouts", { plan_type, method }, as);
export const decide = (as: TestUser | null, id: string, decision = "approve") =>
  app.call("PUT", `/test-payments/${id}`, { decision }, as);
export const reconcile = (as: TestUser | null, id: string) =>
  app.call("POST", `/checkouts/${id}/reconciliation`, {}, as);
export const cancel = (as: TestUser | null, id: string) => app.call("DELETE", `/memberships/${id}`, {}, as);
export const psychologist = () => app.person({ type: "psychologist" });

export async function begun(as: TestUser, plan_type?: string, method?: string): Promise<string> {
  const made = await begin(as, plan_type, method);
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
}

export async function member(plan_type = "monthly", method = "paypal") {
  const person = await psychologist();
  const id = await begun(person, plan_type, method);
  expect((await decide(person, id)).body.status).toBe("paid");
  const [subscription] = await rows(person);
  return { person, checkout: id, subscription: subscription!.id as string };
}

export const rows = (person: TestUser) =>
  app.sql(
    "select id, provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date, cancelled_at from subscriptions where psychologist_id = $1 order by created_at, id",
    [person.id],
  );
export const payments = (person: TestUser) =>
  app.sql(
    "select p.external_payment_id, p.amount, p.currency, p.status from payment_transactions p join subscriptions s on s.id = p.subscription_id where s.psychologist_id = $1",
    [person.id],
  );
type Profile = { gold_until: Date | number | null; subscription_id: string | null };
export async function profile({ id }: TestUser): Promise<Profile> {
  const select = "select gold_until, subscription_id from psychologist_profiles where id = $1";
  return (await app.sql<Profile>(select, [id]))[0]!;
}
/** Expects one active membership with one payment, and no payment problem. */
export async function expectOnePayment(person: TestUser) {
  const [one, ...more] = await rows(person);
  expect([one?.status, more.length, (await payments(person)).length]).toEqual(["active", 0, 1]);
  expect((await profile(person)).subscription_id).toBe(one!.id);
  expect(await app.sql("select kind from payment_problems where psychologist_id = $1", [person.id])).toEqual([]);
}
export const hasGold = async (person: TestUser) =>
  (await app.call("GET", "/session", undefined, person)).body.user.has_gold;
