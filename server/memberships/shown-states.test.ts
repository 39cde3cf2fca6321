import { describe, expect, test } from "vitest";
import { DAY, formatDay } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { app, mercadopago, paypal, withPayments } from "#test/payment-app.ts";

withPayments({ workers: true });

/** Begins a checkout. */
const begin = async (as: TestUser, plan_type: "monthly" | "lifetime", method: "paypal" | "mercadopago") =>
  (await app.call<{ id: string; external_id: string }>("POST", "/checkouts", { plan_type, method }, as)).body;
/** Opens the page to which a provider redirects at the end of a payment. */
const openEnd = async (as: TestUser, { id }: { id: string }, query = "") =>
  (await app.page(`/planes/pago/${id}/fin${query}`, as)).text;
const shown = async (path: string, as: TestUser) =>
  (await app.page(path, as)).text
    .replace(/<script[\s\S]*?<\/script>|<!--.*?-->|<[^>]*>/g, "")
    .replaceAll("&quot;", '"');
const plans = (as: TestUser) => shown("/planes", as);
const buyer = () => app.person({ type: "psychologist" });

/** Creates a psychologist who has paid a month with PayPal. */
async function member(): Promise<TestUser> {
  const person = await buyer();
  const made = await begin(person, "monthly", "paypal");
  await paypal.approve(made.external_id);
  expect(await openEnd(person, made)).toContain("¡Suscripción activada!");
  return person;
}

const YESTERDAY = "now() - interval '1 day'";
/** Standings of a month in force: what the database says, and the words for them. */
const STANDINGS = [
  { name: "active", badge: "Activa", plans: "Próximo pago", profile: "Próximo cobro" },
  {
    name: "grace_period",
    date: YESTERDAY,
    days: 2,
    badge: "Activa",
    plans: "Todavía no vemos el cobro de este mes en PayPal",
    profile: "Falta el cobro de este mes; Gold sigue mientras tanto, como máximo hasta el",
  },
  {
    name: "unreadable",
    date: YESTERDAY,
    failing: "now()",
    days: 16,
    badge: "Activa",
    plans: "Ahora no podemos comprobar tu membresía en PayPal",
    profile: "Ahora no podemos comprobarla en PayPal; Gold sigue mientras tanto, como máximo hasta el",
  },
  {
    name: "past_due",
    state: "suspended",
    badge: "En pausa",
    plans: "Tu suscripción está en pausa en PayPal, quizá porque no se pudo cobrar",
    profile: "En pausa. Gold hasta el",
  },
  {
    name: "ending",
    state: "cancelled",
    badge: "No se renueva",
    plans: "no habrá más cobros. Gold dura hasta que termine lo que pagaste",
    profile: "No se renueva. Gold hasta el",
  },
];

describe("the pages of a member", () => {
  test("show the words of each standing, and a next charge only for an active month", async () => {
    const person = await member();
    const receipt = await app.mailTo(person.email, /Recibo de tu Membresía Gold/);
    expect(receipt.text).toContain("Próximo pago:");
    const set = (date = "now() + interval '20 days'", state = "active", failing = "null") =>
      app.sql(
        `update checkouts set next_billing_date = ${date}, state = '${state}', failing_since = ${failing} where psychologist_id = $1`,
        [person.id],
      );
    for (const standing of STANDINGS) {
      await set(standing.date, standing.state, standing.failing);
      const [onPlans, onProfile] = [await plans(person), await shown("/perfil", person)];
      expect(onPlans, standing.name).toContain(standing.plans);
      expect(onPlans, standing.name).toContain(standing.badge);
      const end = standing.days ? ` ${formatDay(new Date(Date.now() + standing.days * DAY))}` : "";
      expect(onProfile, standing.name).toContain(standing.profile + end);
      for (const page of [onPlans, onProfile])
        expect(/Próximo (pago|cobro)/.test(page), standing.name).toBe(standing.name === "active");
    }
    // Over here, and not at PayPal, which may still charge it.
    await set("now() - interval '4 days'");
    expect(await plans(person)).toContain("Si el cobro llega, Gold vuelve");
  });

  test("show a month with a pending lifetime payment as active and offer no second payment", async () => {
    const person = await member();
    expect(await plans(person)).toContain("le pedimos al servicio de pago que no lo cobre más");
    const lifetime = await begin(person, "lifetime", "mercadopago");
    await mercadopago.pay(lifetime.external_id, "pending");
    await openEnd(person, lifetime, "?status=pending");
    const text = await plans(person);
    expect(text).toContain("Ya tienes Membresía Gold");
    expect(text).toContain("Tu plan mensual sigue igual hasta entonces");
    expect(text).not.toContain("Pagar con MercadoPago");
  });

  test("show a payment that does not match the offer", async () => {
    const person = await buyer();
    paypal.chargeOverride = { cents: 99 };
    const made = await begin(person, "monthly", "paypal");
    await paypal.approve(made.external_id);
    expect(await openEnd(person, made)).toContain("Tu pago necesita una revisión");
    expect(await plans(person)).toContain("No da Gold: no coincide con el plan");
    const mail = await app.mailTo(person.email, /Tu pago con PayPal no coincide con el plan/);
    expect(mail.text).toContain("Le hemos pedido a PayPal que la termine");
    await expect.poll(() => paypal.subscriptions.get(made.external_id)!.status).toBe("CANCELLED");
  });

  test("show the end of a lifetime plan after a chargeback, and Gold again when the seller wins", async () => {
    const person = await buyer();
    const made = await begin(person, "lifetime", "mercadopago");
    const refused = await mercadopago.pay(made.external_id, "rejected");
    refused.payment.date_created = new Date(Date.now() - 3_600_000);
    const { payment } = await mercadopago.pay(made.external_id);
    expect(await openEnd(person, made, "?status=approved")).toContain("¡Suscripción activada!");
    // The refused card does not make the first payment a renewal.
    expect((await app.mailTo(person.email, /Recibo/)).text).toContain("ha sido activada");
    const deliver = async (webhooks: Parameters<typeof mercadopago.send>[0][]) => {
      for (const webhook of webhooks) await mercadopago.send(webhook);
      await expect
        .poll(() => app.sql("select from webhook_events where done_at is null").then((rows) => rows.length))
        .toBe(0);
    };
    await deliver(await mercadopago.chargeBack(payment.id));
    const ended = await plans(person);
    expect(ended).toContain("devuelto tras un reclamo");
    expect(ended).toContain("Terminó: se devolvió el pago");
    expect(ended).not.toContain("Ya tienes Membresía Gold");
    await deliver(await mercadopago.reimburse(payment.id));
    const back = await plans(person);
    expect(back).toContain("Ya tienes Membresía Gold");
    expect(back).toContain("Nunca: es de por vida");
  });
});
