/** The demo's test payments. A test file calls `withPayments({ isTestMode: true })` once. */
import { expect } from "vitest";
import type { TestUser } from "./app.ts";
import { app, begin, membershipRows, psychologist } from "./payment-app.ts";
import { retryWhileBusy } from "./threads.ts";

export const plans = (as: TestUser | null) => app.call("GET", "/plans", undefined, as);
export const decide = (as: TestUser | null, id: string, decision = "approve") =>
  retryWhileBusy(() => app.call("PUT", `/test-payments/${id}`, { decision }, as));

export async function begun(as: TestUser, plan_type?: string, method?: string): Promise<string> {
  const made = await begin(as, plan_type, method);
  expect(made.status, made.text).toBe(201);
  return made.body.id as string;
}

export async function member(plan_type = "monthly", method = "paypal") {
  const person = await psychologist();
  const id = await begun(person, plan_type, method);
  expect((await decide(person, id)).body.status).toBe("paid");
  return { person, checkout: id, subscription: (await membershipRows(person))[0]!.id };
}
