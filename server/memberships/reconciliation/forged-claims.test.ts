import { describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import type { TestUser } from "#test/app.ts";
import { FULL_RUN } from "#test/full-run.ts";
import {
  app,
  type Begun,
  begin,
  begun,
  hasGold,
  membershipRows,
  paypal,
  reconcile,
  withPayments,
} from "#test/payment-app.ts";

withPayments();

/** Calls every operation with every claim, a handful at a time. */
async function walk({ person, checkout, external }: Begun, claims: object, headers: Record<string, string>) {
  const query = new URLSearchParams(Object.entries(claims).map(([key, value]) => [key, String(value)]));
  const bodies = [
    {},
    claims,
    { ...claims, id: undefined },
    { decision: "approve" },
    { subscriptionId: external },
    { event: "subscription_success" },
  ];
  const operations = Object.values(contract).flatMap((group) => Object.values(group).map((one) => one["~orpc"].route));
  expect(operations.length).toBeGreaterThan(50);
  for (const { method = "GET", path = "/" } of operations) {
    // Signing out for real would end the walk.
    if (method === "DELETE" && path === "/session") continue;
    for (const id of FULL_RUN ? [checkout, person.id] : [checkout]) {
      const at = path.replace(/\{[^}]+\}/g, id);
      await Promise.all([
        app.call(method, `${at}?${query}`, method === "GET" ? undefined : claims, person, headers),
        ...(method === "GET" ? [] : bodies.map((body) => app.call(method, at, body, person, headers))),
      ]);
    }
  }
}

/** Sends every claim to the webhooks and to the pages where people pay. */
async function visit({ person, checkout }: Begun, claims: object, headers: Record<string, string>) {
  const query = new URLSearchParams(Object.entries(claims).map(([key, value]) => [key, String(value)]));
  for (const path of ["paypal", "mercadopago"])
    for (const address of ["", `?${query}`, `?data.id=1&type=payment&${query}`])
      await app.call("POST", `/webhooks/${path}${address}`, claims, person, headers);
  for (const path of ["/planes", `/planes/pago/${checkout}`, `/planes/pago/${checkout}/fin`]) {
    await app.page(`${path}?${query}`, person);
    for (const intent of ["pay", "approve", "activate"])
      await app.form(`${path}?${query}`, { ...Object.fromEntries(query), intent }, person);
  }
}

describe("only a payment provider grants Gold", () => {
  const state = async (person: TestUser) => [
    await membershipRows(person),
    await app.sql("select gold_until, subscription_id from psychologist_profiles where id = $1", [person.id]),
  ];

  test("ignores claims in the body, URL or headers of all operations", async () => {
    const made = await begun("monthly", "paypal");
    const life = await begin(made.person, "lifetime", "mercadopago");
    const nothing = await state(made.person);
    expect(nothing).toEqual([[], [{ gold_until: null, subscription_id: null }]]);
    const claims = {
      id: made.checkout,
      status: "paid",
      gold_until: "infinity",
      subscription_active: true,
      subscription_id: made.external,
      subscriptionId: made.external,
      subscriptionID: made.external,
      preference_id: life.body.external_id,
      payment_id: "1",
      collection_status: "approved",
      external_reference: made.checkout,
      decision: "approve",
      event: "subscription_success",
      plan_type: "lifetime",
      method: "paypal",
      amount: 1,
    };
    const headers = { "x-signature": "ts=1,v1=00", "paypal-transmission-sig": "x", "x-user-id": "admin" };
    await walk(made, claims, headers);
    await visit(made, claims, headers);
    expect(await state(made.person)).toEqual(nothing);
    expect(await hasGold(made.person)).toBe(false);
    // The same person gets it once the provider confirms the payment.
    await paypal.approve(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });
});
