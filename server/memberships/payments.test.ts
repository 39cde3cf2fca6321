import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { contract } from "#shared/contract.ts";
import { openTestApp, type Person, type TestApp } from "#test/app.ts";
import { type MercadopagoFake, type MercadopagoFakeWebhook, startMercadopagoFake } from "#test/fakes/mercadopago.ts";
import { type PaypalFake, type PaypalFakeEvent, startPaypalFake } from "#test/fakes/paypal.ts";
import { FULL_RUN } from "#test/full-run.ts";

const SECOND = 1000;
const HOUR = 3600 * SECOND;
const DAY = 24 * HOUR;

let paypal: PaypalFake;
let mercadopago: MercadopagoFake;
let app: TestApp;
let admin: Person;
/** One clock for this server and both providers. */
let clock: Date | null = null;
beforeAll(async () => {
  paypal = await startPaypalFake();
  mercadopago = await startMercadopagoFake();
  app = await openTestApp({ environment: { ...paypal.environment, ...mercadopago.environment }, workers: true });
  paypal.webhookUrl = `${app.url}/api/webhooks/paypal`;
  mercadopago.webhookUrl = `${app.url}/api/webhooks/mercadopago`;
  for (const fake of [paypal, mercadopago]) fake.now = () => clock ?? new Date();
  admin = await app.admin();
});
/** Everything logged so far. Lines name events, and no person: that is looked at when all of them are there. */
const logged = () => app.log.join("\n");
afterAll(async () => {
  expect(logged()).not.toMatch(/comprador|@mp\.example|@example\.com|Persona /);
  await app.close();
  await paypal.close();
  await mercadopago.close();
});
afterEach(() => {
  setClock(null);
  for (const fake of [paypal, mercadopago]) Object.assign(fake, { chargeOverride: {}, delivery: "manual" });
  paypal.lag = 0;
  paypal.clearFaults();
  mercadopago.clearFaults();
});

function setClock(now: Date | null) {
  clock = now;
  app.setNow(now);
}
/** How many payments are confirmed by browser and webhook event at the same time. */
const TIMES = FULL_RUN ? 50 : 12;

const psychologist = () => app.person({ type: "psychologist" });
const begin = (as: Person, plan_type = "monthly", method = "paypal", more: object = {}) =>
  app.call("POST", "/checkouts", { plan_type, method, ...more }, as);
const reconcile = (as: Person, id: string) => app.call("POST", `/checkouts/${id}/reconciliation`, {}, as);
const cancel = (as: Person, id: string) => app.call("DELETE", `/memberships/${id}`, {}, as);
/** Whether Gold is in force now, as the rest of the product reads it. */
const hasGold = async (person: Person) =>
  (
    await app.sql<{ gold: boolean }>(
      "select coalesce(gold_until > $2, false) as gold from psychologist_profiles where id = $1",
      [person.id, clock ?? new Date()],
    )
  )[0]!.gold;

type Row = {
  id: string;
  provider: string;
  external_subscription_id: string;
  plan_type: string;
  status: string;
  next_billing_date: Date | null;
  cancelled_at: Date | null;
  ended_by: string | null;
  cancel_requested_at: Date | null;
  cancel_tries: number;
  cancel_confirmed_at: Date | null;
};
const rows = (person: Person) =>
  app.sql<Row>("select * from subscriptions where psychologist_id = $1 order by created_at, id", [person.id]);
const payments = (person: Person) =>
  app.sql<{ external_payment_id: string; status: string; amount: number; dispute: string | null }>(
    "select p.* from payment_transactions p join subscriptions s on s.id = p.subscription_id where psychologist_id = $1 order by paid_at",
    [person.id],
  );
const problems = async (person: Person) =>
  (
    await app.sql<{ kind: string; reason: string | null }>(
      "select kind, reason from payment_problems where psychologist_id = $1 and settled_at is null order by kind",
      [person.id],
    )
  ).map(({ kind, reason }) => (reason ? `${kind}:${reason}` : kind));
const receipts = async (person: Person) =>
  app.sql(
    "select data from pgboss.job where name = 'mail' and data ->> 'subscription_id' in (select id::text from subscriptions where psychologist_id = $1)",
    [person.id],
  );

/** Sends webhook events one after another; each is accepted. */
async function deliver(events: readonly (PaypalFakeEvent | MercadopagoFakeWebhook)[]) {
  for (const event of events)
    expect(await ("event_type" in event ? paypal.send(event) : mercadopago.send(event))).toEqual([200]);
}

type Begun = { person: Person; checkout: string; external: string };
async function begun(plan: string, method: string, more: object = {}): Promise<Begun> {
  const person = await psychologist();
  const email = method === "mercadopago" && plan === "monthly" ? { payer_email: `${person.id}@mp.example` } : {};
  const made = await begin(person, plan, method, { ...email, ...more });
  expect(made.status, made.text).toBe(201);
  return { person, checkout: made.body.id, external: made.body.external_id };
}

/** The buyer approves and pays at the provider. Returns its webhook events. */
async function pay(plan: string, method: string, external: string) {
  if (method === "paypal") return paypal.approve(external);
  if (plan === "lifetime") return (await mercadopago.pay(external)).webhooks;
  const agreed = await mercadopago.authorize(external);
  return [...agreed, ...(await mercadopago.charge(external)).webhooks];
}

async function member(plan = "monthly", method = "paypal") {
  const made = await begun(plan, method);
  await deliver(await pay(plan, method, made.external));
  const [row, ...more] = await rows(made.person);
  expect(more).toEqual([]);
  expect(row).toMatchObject({ status: "active", plan_type: plan, provider: method });
  return { ...made, subscription: row!.id };
}
const lastSale = (external: string) => paypal.subscriptions.get(external)!.sales.at(-1)!.id;
const lastPayment = (external: string) =>
  [...mercadopago.payments.values()]
    .filter(
      (one) =>
        (one.preapproval === external || mercadopago.preferences.get(external)?.payments.includes(one)) &&
        one.operation_type !== "card_validation",
    )
    .at(-1)!.id;

const KINDS = [
  ["monthly", "paypal"],
  ["lifetime", "paypal"],
  ["monthly", "mercadopago"],
  ["lifetime", "mercadopago"],
] as const;

describe("beginning a checkout", () => {
  test("the plans tell the browser what each method needs", async () => {
    const { body } = await app.call("GET", "/plans", undefined, await psychologist());
    expect(body.methods).toEqual([
      { method: "paypal", state: "ready", asks_payer_email: [] },
      { method: "mercadopago", state: "ready", asks_payer_email: ["monthly"] },
    ]);
    expect(body.paypal).toEqual({ client_id: paypal.clientId, sdk_base: paypal.url });
  });

  test("at PayPal creates a subscription to our plan for this person, at the plan's price", async () => {
    const { person, checkout, external } = await begun("lifetime", "paypal");
    const made = paypal.subscriptions.get(external)!;
    expect(made).toMatchObject({ plan_id: "P-FAKELIFETIME", custom_id: person.id, status: "APPROVAL_PENDING" });
    expect(made.return_url).toBe(`${app.url}/planes/pago/${checkout}/fin`);
    const asked = paypal.requests.findLast(({ path }) => path === "/v1/billing/subscriptions")!;
    expect(asked.headers["paypal-request-id"]).toBe(`sub-create-${checkout}`);
    const { body } = await app.call("GET", `/checkouts/${checkout}`, undefined, person);
    expect(body).toMatchObject({
      status: "open",
      is_test: false,
      amount: 4999,
      currency: "USD",
      external_id: external,
    });
    expect(body.url).toMatch(new RegExp(`^${paypal.url}/checkoutnow`));
  });

  test("at MercadoPago creates a preference for lifetime and a preapproval for monthly, at our prices", async () => {
    const life = await begun("lifetime", "mercadopago");
    expect(mercadopago.preferences.get(life.external)).toMatchObject({
      cents: 4_999_900,
      currency: "ARS",
      external_reference: life.checkout,
      back_urls: { success: `${app.url}/planes/pago/${life.checkout}/fin` },
      // Webhook events go to the address in the panel, whose secret signs them.
      notification_url: null,
    });
    const month = await begun("monthly", "mercadopago");
    expect(mercadopago.preapprovals.get(month.external)).toMatchObject({
      cents: 499_900,
      currency: "ARS",
      external_reference: month.checkout,
      payer_email: `${month.person.id}@mp.example`,
    });
  });

  test("monthly at MercadoPago requires the payer's e-mail, and a payment page that is still open is used again", async () => {
    const person = await psychologist();
    const refused = await begin(person, "monthly", "mercadopago");
    expect(refused).toMatchObject({
      status: 422,
      body: { code: "invalid_input", fields: { payer_email: expect.stringMatching(/MercadoPago\.$/) } },
    });
    const before = mercadopago.preapprovals.size;
    const first = await begin(person, "monthly", "mercadopago", { payer_email: "uno@mp.example" });
    const second = await begin(person, "monthly", "mercadopago", { payer_email: "UNO@mp.example" });
    expect([second.body.id, second.body.url]).toEqual([first.body.id, first.body.url]);
    const other = await begin(person, "monthly", "mercadopago", { payer_email: "dos@mp.example" });
    expect(other.body.id).not.toBe(first.body.id);
    expect(mercadopago.preapprovals.size).toBe(before + 2);
    // The e-mail is deleted once the checkout is closed.
    await deliver(await pay("monthly", "mercadopago", first.body.external_id));
    const kept = await app.sql("select status, payer_email from checkouts where id = $1", [first.body.id]);
    expect(kept).toEqual([{ status: "paid", payer_email: null }]);
  });

  test.each([
    "cut",
    { status: 500, body: {}, headers: { "paypal-debug-id": "debug0001" } },
    { status: 400, body: {} },
  ] as const)("at a provider that answers %j is reported, and leaves nothing to pay", async (what) => {
    const person = await psychologist();
    for (const [method, fake] of [
      ["paypal", paypal],
      ["mercadopago", mercadopago],
    ] as const) {
      fake.injectFault(/POST \/(v1\/billing|checkout)/, "receiving", what);
      const refused = await begin(person, "lifetime", method);
      expect(refused).toMatchObject({ status: 502, body: { code: "payment_provider_failed" } });
    }
    const attempts = await app.sql("select status from checkouts where psychologist_id = $1", [person.id]);
    expect(attempts).toEqual([{ status: "failed" }, { status: "failed" }]);
    expect(logged()).toContain("checkout_failed");
    if (typeof what === "object" && "headers" in what) expect(logged()).toContain("debug0001");
  });

  test("is refused while Gold is in force, except for the upgrade from monthly to lifetime", async () => {
    const { person } = await member("monthly", "paypal");
    expect((await begin(person, "monthly", "mercadopago", { payer_email: "a@mp.example" })).body.code).toBe(
      "already_subscribed",
    );
    expect((await begin(person, "lifetime", "mercadopago")).status).toBe(201);
    const { body } = await app.call("GET", "/plans", undefined, person);
    expect(body.membership.can).toEqual({ cancel: true, upgrade: true });
  });
});

describe.each(KINDS)("%s at %s", (plan, method) => {
  const check = async ({ person, checkout }: Begun) => {
    const [row, ...more] = await rows(person);
    expect(more).toEqual([]);
    expect(row).toMatchObject({ status: "active", ended_by: null });
    expect((await payments(person)).map(({ status }) => status)).toEqual(["completed"]);
    expect(await receipts(person)).toHaveLength(1);
    expect(await hasGold(person)).toBe(true);
    const { body } = await app.call("GET", `/checkouts/${checkout}`, undefined, person);
    expect(body.status).toBe("paid");
    return row!;
  };

  test("the webhook event arrives before the browser returns", async () => {
    const made = await begun(plan, method);
    await deliver(await pay(plan, method, made.external));
    const row = await check(made);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await check(made)).toEqual({ ...row, read_at: expect.any(Date) });
  });

  test("the browser returns before the webhook event arrives", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    await check(made);
    await deliver(events);
    await check(made);
  });

  test("both arrive at the same time, ten times each", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    const sent = events.map((event) =>
      "event_type" in event
        ? paypal.send(event, { times: 10, parallel: true })
        : mercadopago.send(event, { times: 10, parallel: true }),
    );
    const asked = Array.from({ length: 10 }, () => reconcile(made.person, made.checkout));
    expect(new Set((await Promise.all(sent)).flat())).toEqual(new Set([200]));
    expect(new Set((await Promise.all(asked)).map(({ body }) => body.status))).toEqual(new Set(["paid"]));
    await check(made);
  });

  test("webhook events arrive in reverse order, and twice", async () => {
    const made = await begun(plan, method);
    const events = (await pay(plan, method, made.external)).toReversed();
    await deliver([...events, ...events]);
    await check(made);
  });

  test("the provider fails while it is read, and is read again when it repeats the webhook event", async () => {
    const made = await begun(plan, method);
    const events = await pay(plan, method, made.external);
    const fake = method === "paypal" ? paypal : mercadopago;
    const send = () =>
      Promise.all(events.map((event) => ("event_type" in event ? paypal.send(event) : mercadopago.send(event)))).then(
        (all) => all.flat(),
      );
    for (const what of ["cut", { status: 500, body: {} }, { status: 429, body: {} }] as const) {
      fake.injectFault(/^GET /, "receiving", what, 1000);
      expect(new Set(await send())).toEqual(new Set([503]));
      expect(logged()).toContain("webhook_not_handled");
      expect((await reconcile(made.person, made.checkout)).body.status).toBe("open");
      expect(await rows(made.person)).toEqual([]);
      fake.clearFaults();
    }
    expect(new Set(await send())).toEqual(new Set([200]));
    await check(made);
  });

  test("is paid a day after the payment window was closed", async () => {
    const made = await begun(plan, method);
    await app.sql("update checkouts set status = 'expired', settled_at = now(), payer_email = null where id = $1", [
      made.checkout,
    ]);
    await deliver(await pay(plan, method, made.external));
    await check(made);
  });

  test("with less than the price or another currency grants nothing, and the administrator sees it", async () => {
    const fake = method === "paypal" ? paypal : mercadopago;
    for (const [chargeOverride, reason] of [
      [{ cents: 1 }, "amount"],
      [{ currency: method === "paypal" ? "ARS" : "USD" }, "currency"],
    ] as const) {
      fake.chargeOverride = chargeOverride;
      const made = await begun(plan, method);
      const events = await pay(plan, method, made.external);
      await reconcile(made.person, made.checkout);
      await deliver(events);
      // An approval at MercadoPago gives provisional access until the first charge, which then does not match.
      if (plan === "lifetime" || method === "paypal") {
        expect(await rows(made.person)).toEqual([]);
        expect(await hasGold(made.person)).toBe(false);
      }
      expect(await problems(made.person)).toEqual([`mismatch:${reason}`]);
      const { body } = await app.call("GET", "/admin/payments", undefined, admin);
      expect(body.problems).toContainEqual({
        id: expect.any(String),
        kind: "mismatch",
        provider: method,
        external_id: expect.any(String),
        reason,
        psychologist: { id: made.person.id, full_name: made.person.full_name, email: made.person.email },
        created_at: expect.any(String),
        version: expect.any(String),
      });
    }
  });

  test("refunded in full ends Gold at once, and its place in the promotion is free again", async () => {
    const placesLeft = async () => (await app.call("GET", "/plans", undefined, await psychologist())).body.promotion;
    // Other tests sell more lifetime plans than the promotion has places.
    await app.sql("update subscriptions set plan_type = 'monthly' where plan_type = 'lifetime' and status = 'active'");
    const before = await placesLeft();
    const made = await member(plan, method);
    if (plan === "lifetime") expect(await placesLeft()).not.toEqual(before);
    await deliver(
      method === "paypal"
        ? await paypal.refund(lastSale(made.external))
        : await mercadopago.refund(lastPayment(made.external)),
    );
    expect(await hasGold(made.person)).toBe(false);
    expect(await placesLeft()).toEqual(before);
    expect((await rows(made.person))[0]).toMatchObject({ status: "cancelled", ended_by: "refund" });
    expect((await payments(made.person))[0]).toMatchObject({ status: "refunded", refunded_amount: expect.any(Number) });
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({ standing: "revoked", in_force: false, payments: [{ status: "refunded" }] });
  });

  test("refunded in part keeps Gold, and the administrator sees it", async () => {
    const made = await member(plan, method);
    await deliver(
      method === "paypal"
        ? await paypal.refund(lastSale(made.external), 100)
        : await mercadopago.refund(lastPayment(made.external), 100),
    );
    expect(await hasGold(made.person)).toBe(true);
    expect((await payments(made.person))[0]).toMatchObject({ status: "partially_refunded" });
    expect(await problems(made.person)).toEqual(["partial_refund"]);
  });

  test("reversed by the bank ends Gold at once", async () => {
    const made = await member(plan, method);
    await deliver(
      method === "paypal"
        ? await paypal.reverse(lastSale(made.external))
        : await mercadopago.chargeBack(lastPayment(made.external)),
    );
    expect(await hasGold(made.person)).toBe(false);
    expect((await rows(made.person))[0]).toMatchObject({ ended_by: "refund" });
  });

  test("disputed keeps Gold while the dispute is open, and the administrator sees it", async () => {
    const made = await member(plan, method);
    if (method === "paypal") {
      const [opened] = await paypal.dispute(lastSale(made.external));
      await deliver([opened!]);
      expect(await problems(made.person)).toEqual(["dispute"]);
      expect(await hasGold(made.person)).toBe(true);
      await deliver(await paypal.resolve(opened!.resource.dispute_id as string, "SELLER"));
      expect(await problems(made.person)).toEqual([]);
      const [again] = await paypal.dispute(lastSale(made.external));
      await deliver([again!, ...(await paypal.resolve(again!.resource.dispute_id as string, "BUYER"))]);
    } else {
      const payment = lastPayment(made.external);
      await deliver(await mercadopago.mediate(payment));
      expect(await problems(made.person)).toEqual(["dispute"]);
      expect(await hasGold(made.person)).toBe(true);
      await deliver(await mercadopago.approve(payment));
      expect(await problems(made.person)).toEqual([]);
      await deliver(await mercadopago.chargeBack(payment));
    }
    expect(await hasGold(made.person)).toBe(false);
  });
});

describe("at PayPal", () => {
  test.each([
    ["another plan of ours", { plan_id: "P-FAKELIFETIME" }, "plan"],
    ["a plan that is none of ours", { plan_id: "P-ANYTHING" }, "plan"],
    ["an unknown person", { custom_id: "nobody" }, "owner"],
    ["altered terms", { plan_overridden: true }, "altered"],
    ["two at once", { quantity: "2" }, "altered"],
  ])("a subscription for %s grants nothing, and the administrator sees it", async (_what, change, reason) => {
    const made = await begun("monthly", "paypal");
    paypal.plans["P-ANYTHING"] = { cents: 1, currency: "USD", once: false, name: "Otra cosa" };
    Object.assign(paypal.subscriptions.get(made.external)!, change);
    const events = await paypal.approve(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("mismatch");
    await deliver(events);
    expect(await rows(made.person)).toEqual([]);
    expect(await hasGold(made.person)).toBe(false);
    expect(await problems(made.person)).toContain(`mismatch:${reason}`);
  });

  test("a subscription made for another person gives Gold to neither", async () => {
    const made = await begun("monthly", "paypal");
    const other = await psychologist();
    paypal.subscriptions.get(made.external)!.custom_id = other.id;
    const events = await paypal.approve(made.external);
    expect((await reconcile(other, made.checkout)).body.code).toBe("checkout_not_found");
    await reconcile(made.person, made.checkout);
    await deliver(events);
    for (const person of [made.person, other]) {
      expect(await rows(person)).toEqual([]);
      expect(await hasGold(person)).toBe(false);
    }
    expect(await problems(made.person)).toEqual(["mismatch:owner"]);
  });

  test("a subscription of a known psychologist without a checkout of ours is found by its webhook event", async () => {
    const person = await psychologist();
    const { external } = await begun("monthly", "paypal");
    const one = paypal.subscriptions.get(external)!;
    await app.sql("delete from checkouts where external_id = $1", [external]);
    one.custom_id = person.id;
    await deliver(await paypal.approve(external));
    expect(await hasGold(person)).toBe(true);
    expect((await payments(person)).map(({ status }) => status)).toEqual(["completed"]);
  });

  test("an unknown plan of a known psychologist is reported to the administrator", async () => {
    const { external } = await begun("monthly", "paypal");
    const person = await psychologist();
    await app.sql("delete from checkouts where external_id = $1", [external]);
    paypal.plans["P-ANYTHING"] = { cents: 1, currency: "USD", once: false, name: "Otra cosa" };
    Object.assign(paypal.subscriptions.get(external)!, { custom_id: person.id, plan_id: "P-ANYTHING" });
    await deliver(await paypal.approve(external));
    expect(await rows(person)).toEqual([]);
    expect(await problems(person)).toEqual(["mismatch:plan"]);
  });

  test("APPROVAL_PENDING right after the approval leaves the checkout open until ACTIVE follows", async () => {
    paypal.lag = 3;
    const made = await begun("monthly", "paypal");
    const events = await paypal.approve(made.external);
    for (let i = 0; i < 3; i++) {
      expect((await reconcile(made.person, made.checkout)).body.status).toBe("open");
      expect(await hasGold(made.person)).toBe(false);
    }
    await deliver(events);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("EXPIRED and CANCELLED change nothing for lifetime", async () => {
    const made = await member("lifetime", "paypal");
    await deliver(await paypal.expire(made.external));
    await deliver(await paypal.cancel(made.external));
    setClock(new Date(Date.now() + 40 * 365 * DAY));
    expect(await hasGold(made.person)).toBe(true);
    expect((await rows(made.person))[0]).toMatchObject({ status: "active", next_billing_date: null });
  });

  test("amounts are read in every format that PayPal uses", async () => {
    const { decimal } = paypal;
    paypal.decimal = (cents) => String(cents / 100);
    try {
      await member("lifetime", "paypal");
    } finally {
      paypal.decimal = decimal;
    }
  });

  test("a reversal that the payment does not show is reported to the administrator, and Gold stays", async () => {
    const made = await member("monthly", "paypal");
    const sale = lastSale(made.external);
    await deliver([paypal.event("PAYMENT.SALE.REVERSED", { id: sale, state: "completed" })]);
    expect(await hasGold(made.person)).toBe(true);
    expect(await problems(made.person)).toEqual(["reversal"]);
  });
});

describe("two readings of one provider subscription", () => {
  /** PayPal decides a dispute for the buyer, while the payment itself still shows as paid. Returns the webhook event. */
  async function lostDispute(external: string) {
    const [opened] = await paypal.dispute(lastSale(external));
    const [decided] = await paypal.resolve(opened!.resource.dispute_id as string, "BUYER");
    paypal.sales.get(lastSale(external))!.state = "completed";
    return decided!;
  }
  const seen = async (person: Person) => {
    expect(await payments(person)).toMatchObject([{ status: "completed", dispute: "lost" }]);
    expect((await rows(person))[0]).toMatchObject({ status: "cancelled", ended_by: "refund" });
    expect(await hasGold(person)).toBe(false);
  };

  test.each(["monthly", "lifetime"])(
    "the dispute about a %s payment is recorded although another reading supersedes it",
    async (plan) => {
      const made = await member(plan);
      const decided = await lostDispute(made.external);
      // The other one begins later, and ends first.
      paypal.injectFault(
        /GET .*transactions/,
        "receiving",
        async () => void (await reconcile(made.person, made.checkout)),
      );
      await deliver([decided]);
      await seen(made.person);
    },
  );

  test.each(["monthly", "lifetime"])(
    "the dispute about a %s payment is kept although a reading that saw less ends after it",
    async (plan) => {
      const made = await member(plan);
      const decided = await lostDispute(made.external);
      const [asked, known] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let other: Promise<unknown> | null = null;
      paypal.injectFault(/GET .*transactions/, "answering", async () => {
        paypal.injectFault(/GET .*transactions/, "receiving", () => {
          asked.resolve();
          return known.promise;
        });
        other = reconcile(made.person, made.checkout);
        await asked.promise;
      });
      await deliver([decided]);
      known.resolve();
      await other;
      await seen(made.person);
    },
  );

  test.each(["RESOLVED_BUYER_FAVOUR", "ACCEPTED"])(
    "a dispute that ends as %s is lost, whatever the payment itself still shows",
    async (outcome) => {
      const made = await member("monthly");
      const sale = lastSale(made.external);
      const [opened] = await paypal.dispute(sale);
      await deliver([opened!]);
      expect(await hasGold(made.person)).toBe(true);
      const resolved = await paypal.resolve(opened!.resource.dispute_id as string, "BUYER", outcome);
      Object.assign(paypal.sales.get(sale)!, { state: "completed", refunded: 0 });
      await deliver(resolved);
      expect(await payments(made.person)).toMatchObject([{ status: "completed", dispute: "lost" }]);
      expect(await hasGold(made.person)).toBe(false);
    },
  );

  test("a reversed payment counts again when the dispute is won", async () => {
    const made = await member("lifetime");
    const sale = lastSale(made.external);
    await deliver(await paypal.reverse(sale));
    const [opened] = await paypal.dispute(sale);
    // The payment itself shows the reversal; the subscription's list of payments never does.
    paypal.sales.get(sale)!.state = "completed";
    await app.sql("update payment_transactions set status = 'reversed' where external_payment_id = $1", [sale]);
    await deliver([opened!]);
    expect(await hasGold(made.person)).toBe(false);
    await deliver(await paypal.resolve(opened!.resource.dispute_id as string, "SELLER"));
    expect(await payments(made.person)).toMatchObject([{ status: "completed", dispute: "won" }]);
    expect(await hasGold(made.person)).toBe(true);

    // A second reversal is final: the dispute that was won before does not undo it.
    await deliver(await paypal.reverse(sale));
    expect(await hasGold(made.person)).toBe(false);
    paypal.sales.get(sale)!.state = "completed";
    await app.sql("update payment_transactions set status = 'reversed' where external_payment_id = $1", [sale]);
    await reconcile(made.person, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
  });
});

test("a new PayPal plan in the configuration changes nothing for members of the old one", async () => {
  setClock(new Date("2027-06-01T12:00:00.000Z"));
  const month = await member("monthly");
  const life = await member("lifetime");
  setClock(new Date("2027-07-01T12:00:00.000Z"));
  const { plans } = app.context.config.paypal!;
  const before = { ...plans };
  Object.assign(plans, { monthly: "P-NEWMONTHLY", lifetime: "P-NEWLIFETIME" });
  try {
    const [{ next_billing_date: due }] = (await rows(month.person)) as [Row];
    await deliver(await paypal.renew(month.external));
    expect((await rows(month.person))[0]!.next_billing_date!.getTime()).toBeGreaterThan(due!.getTime());
    expect(await problems(month.person)).toEqual([]);
    await deliver(await paypal.refund(lastSale(life.external)));
    expect(await hasGold(life.person)).toBe(false);
  } finally {
    Object.assign(plans, before);
  }
});

test("a refund ends a membership even when its terms were altered", async () => {
  const made = await member("lifetime");
  paypal.subscriptions.get(made.external)!.plan_overridden = true;
  await deliver(await paypal.refund(lastSale(made.external)));
  expect(await hasGold(made.person)).toBe(false);
});

describe("at MercadoPago", () => {
  test.each([
    ["less", { cents: 100 }, "amount"],
    ["another currency", { currency: "USD" }, "currency"],
    ["another person's checkout", { external_reference: "11111111-1111-4111-8111-111111111111" }, "owner"],
  ])("a preapproval with %s grants nothing, not even provisional access", async (_what, change, reason) => {
    const made = await begun("monthly", "mercadopago");
    Object.assign(mercadopago.preapprovals.get(made.external)!, change);
    const events = await mercadopago.authorize(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("mismatch");
    await deliver(events);
    expect(await rows(made.person)).toEqual([]);
    expect(await hasGold(made.person)).toBe(false);
    expect(await problems(made.person)).toEqual([`mismatch:${reason}`]);
  });

  test("a payment for another checkout does not pay for this one", async () => {
    const [made, other] = [await begun("lifetime", "mercadopago"), await begun("lifetime", "mercadopago")];
    const { payment, webhooks } = await mercadopago.pay(made.external);
    payment.external_reference = other.checkout;
    await reconcile(made.person, made.checkout);
    expect(await hasGold(made.person)).toBe(false);
    await deliver(webhooks);
    expect(await hasGold(made.person)).toBe(false);
  });

  test("a monthly charge has two webhook events, as payment and as invoice, and counts once", async () => {
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    const { webhooks } = await mercadopago.charge(made.external);
    expect(webhooks.map(({ type }) => type)).toEqual(["payment", "subscription_authorized_payment"]);
    await deliver([...webhooks, ...webhooks.toReversed()]);
    expect(await payments(made.person)).toHaveLength(1);
    expect(await receipts(made.person)).toHaveLength(1);
  });

  test("payments that name an unknown subscription are found by their invoice", async () => {
    mercadopago.unknownPreapprovalInMetadata = true;
    mercadopago.invoiceSearch = "/authorized_payments";
    try {
      await member("monthly", "mercadopago");
    } finally {
      mercadopago.unknownPreapprovalInMetadata = false;
      mercadopago.invoiceSearch = "/authorized_payments/search";
    }
  });

  test("a payment that is pending, then rejected, then made with another card", async () => {
    const made = await begun("lifetime", "mercadopago");
    const status = async () => (await reconcile(made.person, made.checkout)).body.status;
    const first = await mercadopago.pay(made.external, "in_process");
    await deliver(first.webhooks);
    expect(await status()).toBe("open");
    await deliver((await mercadopago.pay(made.external, "rejected")).webhooks);
    expect(await status()).toBe("open");
    first.payment.status = "rejected";
    first.payment.date_last_updated = new Date();
    expect(await status()).toBe("failed");
    expect(await hasGold(made.person)).toBe(false);
    await deliver((await mercadopago.pay(made.external)).webhooks);
    expect(await status()).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("the first card is refused and the second accepted, on one payment page and without a webhook event", async () => {
    const made = await begun("lifetime", "mercadopago");
    await deliver((await mercadopago.pay(made.external, "rejected")).webhooks);
    const end = `/planes/pago/${made.checkout}/fin`;
    expect((await app.page(end, made.person)).text).toContain("Error en el pago");
    await mercadopago.pay(made.external);
    expect((await app.page(`${end}?status=approved`, made.person)).text).toContain("¡Suscripción activada!");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("a buyer whose cash payment is pending for more than a day is not asked to pay again", async () => {
    setClock(new Date("2027-02-01T12:00:00.000Z"));
    const made = await begun("lifetime", "mercadopago");
    const { payment } = await mercadopago.pay(made.external, "pending");
    setClock(new Date("2027-02-03T12:00:00.000Z"));
    const end = `/planes/pago/${made.checkout}/fin`;
    expect((await app.page(end, made.person)).text).toContain("Estamos confirmando tu pago");
    const plans = async (more = "") => (await app.page(`/planes${more}`, made.person)).text;
    expect(await plans()).toContain("no hace falta que pagues otra vez");
    expect(await plans()).not.toContain("En pesos argentinos");
    expect(await plans("?otra=1")).toContain("En pesos argentinos");
    await mercadopago.approve(payment.id);
    expect((await app.page(end, made.person)).text).toContain("¡Suscripción activada!");
  });

  test("provisional access is given once: another provider subscription that is not charged gives none", async () => {
    const at = (hours: number) => setClock(new Date(Date.parse("2027-03-01T12:00:00.000Z") + hours * HOUR));
    at(0);
    const first = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(first.external));
    expect(await hasGold(first.person)).toBe(true);
    at(73);
    expect(await hasGold(first.person)).toBe(false);
    const again = await begin(first.person, "monthly", "mercadopago", { payer_email: "otra@mp.example" });
    await deliver(await mercadopago.authorize(again.body.external_id));
    expect(await hasGold(first.person)).toBe(false);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("open");
    await deliver((await mercadopago.charge(again.body.external_id)).webhooks);
    expect(await hasGold(first.person)).toBe(true);
    expect((await reconcile(first.person, again.body.id)).body.status).toBe("paid");
  });

  test("a preference whose creation was interrupted is found again when it is paid", async () => {
    const person = await psychologist();
    mercadopago.injectFault(/POST \/checkout\/preferences/, "answering", "cut");
    expect((await begin(person, "lifetime", "mercadopago")).status).toBe(502);
    const [attempt] = await app.sql<{ id: string }>("select id from checkouts where psychologist_id = $1", [person.id]);
    const made = [...mercadopago.preferences.values()].find((one) => one.external_reference === attempt!.id)!;
    await deliver((await mercadopago.pay(made.id)).webhooks);
    expect(await hasGold(person)).toBe(true);
  });
});

describe("one payment counts once", () => {
  test.each(["paypal", "mercadopago"] as const)(
    "30 identical webhook events of a renewal at %s at the same time extend once",
    async (method) => {
      const start = new Date("2027-03-10T09:00:00.000Z");
      setClock(start);
      const made = await member("monthly", method);
      const before = (await rows(made.person))[0]!.next_billing_date!;
      setClock(new Date(before.getTime() + HOUR));
      const events =
        method === "paypal" ? await paypal.renew(made.external) : (await mercadopago.charge(made.external)).webhooks;
      const statuses = await Promise.all(
        events.map((event) =>
          "event_type" in event
            ? paypal.send(event, { times: 30, parallel: true })
            : mercadopago.send(event, { times: 30, parallel: true }),
        ),
      );
      // Some may have waited for the others for too long; a provider sends those again.
      for (const status of statuses.flat()) expect([200, 503]).toContain(status);
      if (statuses.flat().includes(503)) await deliver(events);
      expect(await payments(made.person)).toHaveLength(2);
      expect(await receipts(made.person)).toHaveLength(2);
      const after = (await rows(made.person))[0]!.next_billing_date!;
      expect(after.toISOString().slice(0, 10)).toBe("2027-05-10");
    },
  );

  test.each(["paypal", "mercadopago"])(
    "browser and webhook event of %s at the same time, many times: each checkout activates once",
    async (method) => {
      const people = await Promise.all(Array.from({ length: TIMES }, () => begun("lifetime", method)));
      for (const made of people) {
        const events = await pay("lifetime", method, made.external);
        const [read] = await Promise.all([
          reconcile(made.person, made.checkout),
          ...events.map((event) => deliver([event])),
        ]);
        expect(read.body.status).toBe("paid");
      }
      const found = await app.sql<{ n: number; rows: number; paid: number; gold: boolean }>(
        `select count(*)::int as n, sum(s.rows)::int as rows, sum(s.paid)::int as paid, bool_and(p.gold_until = 'infinity') as gold
       from psychologist_profiles p join lateral (select count(*) as rows, (select count(*) from payment_transactions t join subscriptions o on o.id = t.subscription_id where o.psychologist_id = p.id) as paid
         from subscriptions where psychologist_id = p.id and status = 'active') s on true where p.id = any($1)`,
        [people.map(({ person }) => person.id)],
      );
      expect(found).toEqual([{ n: TIMES, rows: TIMES, paid: TIMES, gold: true }]);
      const began = await app.sql(
        "select target_id from audit_log where action = 'membership_began' and target_id in (select id from subscriptions where psychologist_id = any($1))",
        [people.map(({ person }) => person.id)],
      );
      expect(began).toHaveLength(TIMES);
    },
  );

  test.each(["paypal", "mercadopago"] as const)(
    "a slow reading at %s undoes nothing of one that began later",
    async (method) => {
      const start = new Date("2027-06-10T09:00:00.000Z");
      setClock(start);
      const made = await member("monthly", method);
      const due = (await rows(made.person))[0]!.next_billing_date!;
      setClock(new Date(due.getTime() + HOUR));
      const fake = method === "paypal" ? paypal : mercadopago;
      // The answer is ready before the month is charged and its webhook event handled, and arrives after that.
      fake.injectFault(/GET \/(v1\/billing\/subscriptions\/[^/]+|preapproval\/.*)$/, "answering", async () => {
        setClock(new Date(due.getTime() + HOUR + SECOND));
        const subscription = paypal.subscriptions.get(made.external);
        const preapproval = mercadopago.preapprovals.get(made.external);
        const [status_update_time, last_modified] = [subscription?.status_update_time, preapproval?.last_modified];
        const events =
          method === "paypal" ? await paypal.renew(made.external) : (await mercadopago.charge(made.external)).webhooks;
        // A renewal does not change the status, so the provider's clock does not tell the two answers apart.
        if (subscription) Object.assign(subscription, { status_update_time });
        if (preapproval) Object.assign(preapproval, { last_modified });
        await deliver(events);
      });
      await deliver([
        method === "paypal"
          ? paypal.event("BILLING.SUBSCRIPTION.UPDATED", { id: made.external })
          : mercadopago.webhook("subscription_preapproval", made.external),
      ]);
      setClock(new Date(due.getTime() + 2 * HOUR));
      const [row] = await rows(made.person);
      expect(row!.next_billing_date!.getTime()).toBeGreaterThan(due.getTime() + 20 * DAY);
      expect(await payments(made.person)).toHaveLength(2);
    },
  );

  test("three subscriptions of one person paid at the same time, of ten people: one gives Gold, the others do not", async () => {
    const people = await Promise.all(Array.from({ length: 10 }, psychologist));
    for (const person of people) {
      const ids = (await Promise.all([begin(person), begin(person), begin(person)])).map(
        ({ body }) => body.external_id,
      );
      const events = (await Promise.all(ids.map((id) => paypal.approve(id)))).flat();
      const answers = await Promise.all(events.map((event) => paypal.send(event)));
      expect(new Set(answers.flat())).toEqual(new Set([200]));
      expect((await rows(person)).map(({ ended_by }) => ended_by).sort()).toEqual(
        [null, "paid_twice", "paid_twice"].sort(),
      );
      expect(await payments(person)).toHaveLength(3);
    }
  });

  test("two subscriptions of one person paid at the same time: one gives Gold, the other is cancelled at its provider", async () => {
    const person = await psychologist();
    const one = await begin(person, "monthly", "paypal");
    const two = await begin(person, "monthly", "paypal");
    const events = [...(await paypal.approve(one.body.external_id)), ...(await paypal.approve(two.body.external_id))];
    await Promise.all(events.map((event) => paypal.send(event)));
    const made = await rows(person);
    expect(made.map(({ status }) => status).sort()).toEqual(["active", "cancelled"]);
    const twice = made.find(({ status }) => status === "cancelled")!;
    expect(twice).toMatchObject({ ended_by: "paid_twice", cancel_requested_at: expect.any(Date) });
    expect(await payments(person)).toHaveLength(2);
    expect(await receipts(person)).toHaveLength(1);
    expect(await problems(person)).toEqual(["paid_twice"]);
    expect(logged()).toContain("payment_problem");
    await expect.poll(() => paypal.subscriptions.get(twice.external_subscription_id)!.status).toBe("CANCELLED");
  });
});

describe("only a payment provider grants Gold", () => {
  const state = async (person: Person) => [
    await rows(person),
    await app.sql("select gold_until, subscription_id from psychologist_profiles where id = $1", [person.id]),
  ];

  test("no operation does, whatever is in body, address or headers", async () => {
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
    const query = new URLSearchParams(Object.entries(claims).map(([key, value]) => [key, String(value)]));
    const operations = Object.values(contract).flatMap((group) =>
      Object.values(group).map((one) => one["~orpc"].route),
    );
    expect(operations.length).toBeGreaterThan(50);
    for (const { method = "GET", path = "/" } of operations) {
      // Signing out for real would end the walk.
      if (method === "DELETE" && path === "/session") continue;
      for (const id of FULL_RUN ? [made.checkout, made.person.id] : [made.checkout]) {
        const at = path.replace(/\{[^}]+\}/g, id);
        await app.call(method, `${at}?${query}`, method === "GET" ? undefined : claims, made.person, headers);
        if (method === "GET") continue;
        for (const body of [
          {},
          claims,
          { ...claims, id: undefined },
          { decision: "approve" },
          { subscriptionId: made.external },
          { event: "subscription_success" },
        ])
          await app.call(method, at, body, made.person, headers);
      }
    }
    for (const path of ["paypal", "mercadopago"])
      for (const address of ["", `?${query}`, `?data.id=1&type=payment&${query}`])
        await app.call("POST", `/webhooks/${path}${address}`, claims, made.person, headers);
    for (const path of ["/planes", `/planes/pago/${made.checkout}`, `/planes/pago/${made.checkout}/fin`]) {
      await app.page(`${path}?${query}`, made.person);
      for (const intent of ["pay", "approve", "activate"])
        await app.form(`${path}?${query}`, { ...Object.fromEntries(query), intent }, made.person);
    }
    expect(await state(made.person)).toEqual(nothing);
    expect(await hasGold(made.person)).toBe(false);
    // The same person gets it once the provider confirms the payment.
    await paypal.approve(made.external);
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    expect(await hasGold(made.person)).toBe(true);
  });
});

describe("over time", () => {
  const START = new Date("2027-01-31T09:30:00.000Z");
  const at = (text: string) => new Date(text);
  const goldAt = async (person: Person, when: Date) => {
    setClock(when);
    return hasGold(person);
  };

  test("months renew, the 31st included, each with its receipt", async () => {
    setClock(START);
    const made = await member("monthly", "paypal");
    for (const [charged, next] of [
      ["2027-02-28T10:00:05.000Z", "2027-03-28T10:00:00.000Z"],
      ["2027-03-28T10:00:05.000Z", "2027-04-28T10:00:00.000Z"],
    ] as const) {
      setClock(at(charged));
      await deliver(await paypal.renew(made.external));
      expect((await rows(made.person))[0]!.next_billing_date).toEqual(at(next));
      expect(await hasGold(made.person)).toBe(true);
    }
    expect(await payments(made.person)).toHaveLength(3);
    await app.mailTo(made.person.email, /Recibo/);
    await expect
      .poll(() => app.sql("select text from kept_mails where recipient = $1 order by created_at", [made.person.email]))
      .toHaveLength(3);
    const texts = (
      await app.sql<{ text: string }>("select text from kept_mails where recipient = $1", [made.person.email])
    ).map(({ text }) => text);
    expect(texts.filter((text) => text.includes("ha sido activada"))).toHaveLength(1);
    expect(texts.filter((text) => text.includes("se ha renovado"))).toHaveLength(2);
    expect(texts.every((text) => text.includes("4,99 USD"))).toBe(true);
  });

  test("a past date just after activation is replaced by a calendar month after the payment", async () => {
    setClock(START);
    const made = await begun("monthly", "paypal");
    const events = await paypal.approve(made.external);
    paypal.subscriptions.get(made.external)!.next_billing_time = START;
    await deliver(events);
    const due = at("2027-02-28T09:30:00.000Z");
    expect((await rows(made.person))[0]!.next_billing_date).toEqual(due);
    expect(await goldAt(made.person, new Date(due.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, due)).toBe(false);
  });

  test("an overdue renewal has one grace period of three days, to the second", async () => {
    setClock(START);
    const made = await member("monthly", "paypal");
    const due = (await rows(made.person))[0]!.next_billing_date!;
    setClock(new Date(due.getTime() - SECOND));
    await deliver(await paypal.failPayment(made.external));
    const end = new Date(due.getTime() + 3 * DAY);
    expect((await rows(made.person))[0]!.next_billing_date).toEqual(end);
    setClock(new Date(end.getTime() - SECOND));
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(true);
    expect(await goldAt(made.person, end)).toBe(false);
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(false);
    // Paid after all: Gold is back.
    setClock(new Date(end.getTime() + DAY));
    await deliver(await paypal.renew(made.external));
    expect(await hasGold(made.person)).toBe(true);
  });

  test.each(["suspend", "cancel"] as const)("%s at PayPal keeps Gold until the date, to the second", async (what) => {
    setClock(START);
    const made = await member("monthly", "paypal");
    const due = (await rows(made.person))[0]!.next_billing_date!;
    setClock(new Date(START.getTime() + DAY));
    await deliver(await paypal[what](made.external));
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({
      status: "active",
      in_force: true,
      standing: what === "cancel" ? "ending" : "past_due",
    });
    expect(await goldAt(made.person, new Date(due.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, due)).toBe(false);
    await deliver(await paypal.failPayment(made.external));
    expect(await hasGold(made.person)).toBe(false);
  });

  test("cancelling at MercadoPago keeps Gold until the date", async () => {
    setClock(START);
    const made = await member("monthly", "mercadopago");
    await deliver(await mercadopago.cancel(made.external));
    const due = (await rows(made.person))[0]!.next_billing_date!;
    expect(await goldAt(made.person, new Date(due.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, due)).toBe(false);
  });

  test("approval at MercadoPago gives provisional access for 72 hours, to the second; the first charge makes it a month", async () => {
    setClock(START);
    const made = await begun("monthly", "mercadopago");
    await deliver(await mercadopago.authorize(made.external));
    expect((await reconcile(made.person, made.checkout)).body.status).toBe("paid");
    const { body } = await app.call("GET", "/memberships", undefined, made.person);
    expect(body[0]).toMatchObject({ standing: "provisional", payments: [] });
    expect(await receipts(made.person)).toEqual([]);
    const end = new Date(START.getTime() + 72 * HOUR);
    expect(await goldAt(made.person, new Date(end.getTime() - SECOND))).toBe(true);
    expect(await goldAt(made.person, end)).toBe(false);
    await deliver((await mercadopago.charge(made.external, "rejected")).webhooks);
    expect(await hasGold(made.person)).toBe(false);
    await deliver((await mercadopago.charge(made.external)).webhooks);
    expect(await hasGold(made.person)).toBe(true);
    expect(await receipts(made.person)).toHaveLength(1);
    expect((await rows(made.person))[0]!.next_billing_date!.getTime()).toBeGreaterThan(end.getTime() + 20 * DAY);
  });

  test("lifetime does not end", async () => {
    setClock(START);
    const made = await member("lifetime", "mercadopago");
    expect(await goldAt(made.person, at("2099-12-31T23:59:59.000Z"))).toBe(true);
  });
});

describe("cancelling here", () => {
  test.each(["paypal", "mercadopago"] as const)(
    "ends Gold at once and cancels at %s; a second time changes nothing",
    async (method) => {
      const made = await member("monthly", method);
      const gone = await cancel(made.person, made.subscription);
      expect(gone.body).toEqual({ done: true, provider: "confirmed" });
      expect(await hasGold(made.person)).toBe(false);
      const status = () =>
        method === "paypal"
          ? paypal.subscriptions.get(made.external)!.status
          : mercadopago.preapprovals.get(made.external)!.status;
      expect(status().toLowerCase()).toBe("cancelled");
      const [row] = await rows(made.person);
      expect(row).toMatchObject({ status: "cancelled", ended_by: "person", cancel_confirmed_at: expect.any(Date) });
      expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "confirmed" });
      expect((await rows(made.person))[0]).toMatchObject({
        cancelled_at: row!.cancelled_at,
        cancel_tries: row!.cancel_tries,
      });
      const audit = await app.sql<{ action: string; actor_id: string | null }>(
        "select action, actor_id from audit_log where target_id = $1 order by created_at",
        [made.subscription],
      );
      expect(audit.map(({ action }) => action)).toEqual(
        expect.arrayContaining(["membership_began", "membership_cancelled", "cancellation_confirmed"]),
      );
      expect(audit.find(({ action }) => action === "membership_cancelled")!.actor_id).toBe(made.person.id);
    },
  );

  test.each([
    ["paypal", "cut"],
    ["mercadopago", { status: 500, body: {} }],
  ] as const)(
    "works when %s does not answer (%j): the cancellation is sent until it is confirmed, and the administrator sees it",
    async (method, what) => {
      const made = await member("monthly", method);
      const fake = method === "paypal" ? paypal : mercadopago;
      fake.injectFault(/^(POST .*cancel|PUT)/, "receiving", what, 1000);
      expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "waiting" });
      expect(await hasGold(made.person)).toBe(false);
      const tell = () =>
        app.call("POST", "/cancel-payment-subscription", { subscriptionId: made.external }, made.person);
      expect((await tell()).body).toEqual({ provider: "waiting" });
      const open = async () =>
        (await app.call("GET", "/admin/payments", undefined, admin)).body.cancellations.find(
          (one: { id: string }) => one.id === made.subscription,
        );
      expect(await open()).toEqual({
        id: made.subscription,
        provider: method,
        external_subscription_id: made.external,
        ended_by: "person",
        psychologist: { id: made.person.id, full_name: made.person.full_name, email: made.person.email },
        requested_at: expect.any(String),
        tries: expect.any(Number),
        tried_at: expect.any(String),
      });
      expect((await open()).tries).toBeGreaterThanOrEqual(2);
      expect(logged()).toContain("cancellation_not_confirmed");
      // Until then no snapshot of the provider brings it back.
      await reconcile(made.person, made.checkout);
      expect(await hasGold(made.person)).toBe(false);
      fake.clearFaults();
      expect((await tell()).body).toEqual({ provider: "confirmed" });
      expect(await open()).toBeUndefined();
      expect((await tell()).body).toEqual({ provider: "confirmed" });
    },
  );

  test("is also sent by a job, without any request", async () => {
    const made = await member("monthly", "paypal");
    paypal.injectFault(/POST .*cancel/, "receiving", "cut", 1);
    // The job may be as fast as the request: one of the two meets the fault.
    expect(["waiting", "confirmed"]).toContain((await cancel(made.person, made.subscription)).body.provider);
    await expect.poll(() => paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    await expect.poll(async () => (await rows(made.person))[0]!.cancel_confirmed_at).not.toBeNull();
  });

  test("a subscription that is over at the provider already counts as confirmed", async () => {
    const made = await member("monthly", "paypal");
    await paypal.cancel(made.external);
    expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "confirmed" });
  });

  test("a charge after the end is recorded and reported to the administrator", async () => {
    const made = await member("monthly", "paypal");
    paypal.injectFault(/POST .*cancel/, "receiving", "cut", 1000);
    await cancel(made.person, made.subscription);
    await deliver(await paypal.renew(made.external));
    expect(await hasGold(made.person)).toBe(false);
    expect(await payments(made.person)).toHaveLength(2);
    expect(await problems(made.person)).toEqual(["paid_after_end"]);
    expect(await receipts(made.person)).toHaveLength(1);
  });

  test.each(["paypal", "mercadopago"])(
    "also cancels a month of %s that could not be charged: the provider would try again",
    async (method) => {
      setClock(new Date("2027-04-01T12:00:00.000Z"));
      const made = await member("monthly", method);
      setClock(new Date("2027-05-10T12:00:00.000Z"));
      await app.sql("update sessions set seen_at = '2027-05-10', expires_at = '2027-06-01' where account_id = $1", [
        made.person.id,
      ]);
      const plans = async () => (await app.call("GET", "/plans", undefined, made.person)).body;
      expect(await plans()).toMatchObject({
        membership: null,
        history: [{ in_force: false, can: { cancel: true } }],
      });
      expect((await app.page("/planes", made.person)).text).toContain("puede volver a intentar el cobro");
      expect((await cancel(made.person, made.subscription)).body).toEqual({ done: true, provider: "confirmed" });
      expect((await plans()).history).toMatchObject([{ can: { cancel: false } }]);
      expect((await rows(made.person))[0]).toMatchObject({ ended_by: "person", cancel_confirmed_at: expect.any(Date) });
      if (method === "paypal") expect(paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
      else expect(mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
    },
  );

  test("only one's own cancelled membership can be sent again", async () => {
    const made = await member("monthly", "paypal");
    const tell = (as: Person, subscriptionId: string) =>
      app.call("POST", "/cancel-payment-subscription", { subscriptionId }, as);
    expect((await tell(made.person, made.external)).body).toEqual({ code: "nothing_updated" });
    expect((await tell(await psychologist(), made.external)).body).toEqual({ code: "subscription_not_found" });
    expect(paypal.subscriptions.get(made.external)!.status).toBe("ACTIVE");
    expect(await hasGold(made.person)).toBe(true);
  });

  test("lifetime is refused, and nothing is sent to the provider", async () => {
    const made = await member("lifetime", "paypal");
    expect((await cancel(made.person, made.subscription)).body).toEqual({ code: "lifetime_not_cancelled" });
    expect(paypal.subscriptions.get(made.external)!.status).toBe("ACTIVE");
  });
});

describe("upgrading from monthly to lifetime", () => {
  test("gives Gold for ever, and cancels the monthly subscription at its provider", async () => {
    const made = await member("monthly", "paypal");
    const life = await begin(made.person, "lifetime", "mercadopago");
    await deliver((await mercadopago.pay(life.body.external_id)).webhooks);
    expect((await rows(made.person)).map(({ plan_type, status, ended_by }) => [plan_type, status, ended_by])).toEqual([
      ["monthly", "cancelled", "replaced"],
      ["lifetime", "active", null],
    ]);
    const profile = await app.sql("select gold_until from psychologist_profiles where id = $1", [made.person.id]);
    expect(profile).toEqual([{ gold_until: Number.POSITIVE_INFINITY }]);
    await expect.poll(() => paypal.subscriptions.get(made.external)!.status).toBe("CANCELLED");
    // Later events about the monthly subscription change nothing.
    await deliver(paypal.events.filter(({ resource }) => resource.id === made.external));
    expect(await hasGold(made.person)).toBe(true);
  });

  test("a cancellation that fails is sent again", async () => {
    const made = await member("monthly", "mercadopago");
    mercadopago.injectFault(/^PUT/, "receiving", "cut", 1);
    const life = await begin(made.person, "lifetime", "paypal");
    await deliver(await paypal.approve(life.body.external_id));
    await expect.poll(() => mercadopago.preapprovals.get(made.external)!.status).toBe("cancelled");
  });
});

describe("what the administrator sees of payments", () => {
  test("disappears once it is handled, and does not come back", async () => {
    const made = await member("monthly", "paypal");
    const refund = await paypal.refund(lastSale(made.external), 100);
    await deliver(refund);
    const mine = async () =>
      (await app.call("GET", "/admin/payments", undefined, admin)).body.problems.filter(
        (one: { psychologist: { id: string } | null }) => one.psychologist?.id === made.person.id,
      );
    const [problem] = await mine();
    expect(problem).toMatchObject({ kind: "partial_refund", external_id: lastSale(made.external) });
    const handle = () => app.call("PUT", `/admin/payments/${problem.id}/handling`, { version: problem.version }, admin);
    expect((await handle()).status).toBe(200);
    expect((await handle()).body).toEqual({ code: "nothing_updated" });
    await reconcile(made.person, made.checkout);
    expect(await mine()).toEqual([]);
    expect(
      await app.sql("select actor_id from audit_log where action = 'payment_problem_handled' and target_id = $1", [
        problem.id,
      ]),
    ).toEqual([{ actor_id: admin.id }]);
  });
});

test("of a deleted account only the payment records are kept: what is confirmed, and what is still charged", async () => {
  const made = await member("monthly", "paypal");
  paypal.injectFault(/POST .*cancel/, "receiving", "cut", 1000);
  await cancel(made.person, made.subscription);
  await app.sql("delete from profiles where id = $1", [made.person.id]);
  const [charged] = await paypal.renew(made.external);
  await deliver([charged!, ...(await paypal.cancel(made.external))]);
  const [row] = await app.sql("select psychologist_id, status, cancel_confirmed_at from subscriptions where id = $1", [
    made.subscription,
  ]);
  expect(row).toEqual({ psychologist_id: null, status: "cancelled", cancel_confirmed_at: expect.any(Date) });
  const kept = await app.sql("select id from payment_transactions where subscription_id = $1", [made.subscription]);
  expect(kept).toHaveLength(2);
  const { body } = await app.call("GET", "/admin/payments", undefined, admin);
  expect(body.problems).toContainEqual(
    expect.objectContaining({ kind: "paid_after_end", psychologist: null, external_id: lastSale(made.external) }),
  );
  expect(await app.sql("select from webhook_events where status = 'unmatched'")).toEqual([]);
});

test("an outage of our own database loses nothing: the provider repeats the webhook event", async () => {
  const made = await begun("lifetime", "paypal");
  const [, event] = await paypal.approve(made.external);
  await app.sql("alter table webhook_events rename to webhook_events_away");
  try {
    expect(await paypal.send(event!)).toEqual([500]);
  } finally {
    await app.sql("alter table webhook_events_away rename to webhook_events");
  }
  const { send } = app.context.boss;
  app.context.boss.send = async () => {
    throw new Error("a fault");
  };
  try {
    expect(await paypal.send(event!)).toEqual([500]);
    expect(await rows(made.person)).toEqual([]);
  } finally {
    app.context.boss.send = send;
  }
  expect(await paypal.send(event!)).toEqual([200]);
  expect(await hasGold(made.person)).toBe(true);
});
