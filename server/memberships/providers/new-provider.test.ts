import { beforeAll, expect, test } from "vitest";
import type { TestUser } from "#test/app.ts";
import { openNewProvider } from "#test/fakes/new-provider.ts";
import { setUpTestApp } from "#test/suite-setup.ts";
import { workPayments } from "../reading/jobs.ts";

// An unknown provider takes the place and the name of MercadoPago. `docs/payments.md` lists the files for another name.

const DAY = 86_400_000;
let clock = new Date("2027-03-01T10:00:00.000Z");
const fake = openNewProvider("mercadopago", () => clock);
const app = setUpTestApp({ overrides: { paymentProviders: new Map([["mercadopago", fake.provider]]) } });
beforeAll(async () => {
  later(0);
});

function later(span: number) {
  clock = new Date(clock.getTime() + span);
  app.setNow(clock);
}
async function send(event: Parameters<typeof fake.send>[1], word?: string) {
  const status = await fake.send(`${app.url}/api/webhooks/mercadopago`, event, word);
  await workPayments(app.context);
  return status;
}
async function begun(plan_type: string) {
  const person = await app.person({ type: "psychologist" });
  const { status, body, text } = await app.call("POST", "/checkouts", { plan_type, method: "mercadopago" }, person);
  expect(status, text).toBe(201);
  expect(body.url).toBe(`https://new-provider.example/pay/${body.external_id}`);
  return { person, checkout: body.id as string, order: body.external_id as string };
}
const memberships = async (person: TestUser) => (await app.call("GET", "/memberships", undefined, person)).body;

test("a month is bought, reported by a signed event, renewed, and refunded by an event that was never delivered", async () => {
  const { person, checkout, order } = await begun("monthly");
  const event = fake.pay(order);
  expect(await send(event, "another word")).toBe(401);
  expect(await memberships(person)).toEqual([]);
  expect([await send(event), await send(event)]).toEqual([200, 200]);
  expect(await memberships(person)).toMatchObject([
    { membership_status: "active", payments: [{ status: "completed" }] },
  ]);
  expect((await app.call("GET", `/checkouts/${checkout}`, undefined, person)).body.status).toBe("paid");
  later(5 * DAY);
  expect(await send(fake.pay(order))).toBe(200);
  const next_billing_date = new Date(clock.getTime() + 30 * DAY).toISOString();
  expect(await memberships(person)).toMatchObject([{ in_force: true, next_billing_date, payments: [{}, {}] }]);
  later(DAY);
  fake.refund(order);
  later(DAY / 24);
  await workPayments(app.context);
  expect(await memberships(person)).toMatchObject([{ membership_status: "revoked", in_force: false }]);
});

test("a browser that returns makes the server read it, and a cancellation here is sent to it", async () => {
  const { person, checkout, order } = await begun("monthly");
  fake.pay(order);
  const read = await app.call("POST", `/checkouts/${checkout}/reconciliation`, {}, person);
  expect(read.body.status).toBe("paid");
  const [membership] = await memberships(person);
  const { body } = await app.call("DELETE", `/memberships/${membership.id}`, {}, person);
  expect(body).toEqual({ done: true, provider: "confirmed" });
  expect(fake.cancelled).toContain(order);
  expect(await memberships(person)).toMatchObject([{ membership_status: "ended", provider_cancellation: "confirmed" }]);
});
