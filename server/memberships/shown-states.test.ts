/** Words of the pages and mails for each state of a payment and a membership. */
import { describe, expect, test } from "vitest";
import { DAY, formatDay, HOUR } from "#shared/time.ts";
import type { TestUser } from "#test/app.ts";
import { grantGold } from "#test/gold.ts";
import { wordsOf } from "#test/markup.tsx";
import {
  app,
  begin,
  begun,
  deliver,
  member,
  mercadopago,
  paypal,
  psychologist,
  withPayments,
} from "#test/payment-app.ts";

withPayments({ workers: true });

const shown = async (path: string, as: TestUser) =>
  wordsOf((await app.page(path, as)).text.replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, ""));
const plans = (as: TestUser) => shown("/planes", as);
/** Opens the page to which a provider redirects. */
const openEnd = (checkout: string, as: TestUser, query = "") => shown(`/planes/pago/${checkout}/fin${query}`, as);

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
    const { person } = await member();
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
    const { person } = await member();
    expect(await plans(person)).toContain("le pedimos al servicio de pago que no lo cobre más");
    const lifetime = (await begin(person, "lifetime", "mercadopago")).body;
    await mercadopago.pay(lifetime.external_id, "pending");
    await openEnd(lifetime.id, person, "?status=pending");
    const text = await plans(person);
    expect(text).toContain("Ya tienes Membresía Gold");
    expect(text).toContain("Tu plan mensual sigue igual hasta entonces");
    expect(text).not.toContain("Pagar con MercadoPago");
  });

  test("show a payment that does not match the offer", async () => {
    const { person, checkout, external } = await begun("monthly", "paypal");
    paypal.chargeOverride = { cents: 99 };
    await paypal.approve(external);
    expect(await openEnd(checkout, person)).toContain("Tu pago necesita una revisión");
    expect(await plans(person)).toContain("No da Gold: no coincide con el plan");
    const mail = await app.mailTo(person.email, /Tu pago con PayPal no coincide con el plan/);
    expect(mail.text).toContain("Le hemos pedido a PayPal que la termine");
    await expect.poll(() => paypal.subscriptions.get(external)!.status).toBe("CANCELLED");
  });

  test("show the end of a lifetime plan after a chargeback, and Gold again when the seller wins", async () => {
    const { person, checkout, external } = await begun("lifetime", "mercadopago");
    const refused = await mercadopago.pay(external, "rejected");
    refused.payment.date_created = new Date(Date.now() - HOUR);
    const { payment } = await mercadopago.pay(external);
    expect(await openEnd(checkout, person, "?status=approved")).toContain("¡Suscripción activada!");
    // The refused card does not make the first payment a renewal.
    expect((await app.mailTo(person.email, /Recibo/)).text).toContain("ha sido activada");
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

test("shows the state of each payment of a lifetime plan", async () => {
  const { person, checkout, external } = await begun("lifetime", "mercadopago");
  const opened = await openEnd(checkout, person);
  expect(opened).toContain("Estamos confirmando tu pago");
  expect(opened).toContain("puede tardar unos minutos en mostrarlo. Si has pagado, tu membresía se activa sola");
  expect(opened).toContain("Si no llegaste a pagar, no se cobra nada.");
  expect(await openEnd(checkout, person, "?status=null")).toContain("El pago no se ha completado");
  const { payment } = await mercadopago.pay(external, "pending");
  // A pending cash payment remains pending if the buyer returns again without paying.
  for (const query of ["?status=pending", "?status=null"]) {
    const cash = await openEnd(checkout, person, query);
    expect(cash).toContain("Estamos confirmando tu pago");
    expect(cash).toContain("en efectivo puede tardar días");
    expect(cash).toContain("no hace falta que pagues otra vez");
  }
  const waiting = await plans(person);
  expect(waiting).toContain("Lifetime empieza cuando llegue");
  expect(waiting).not.toContain("Pagar con MercadoPago");

  // Another payment gives Gold, and then the cash payment completes.
  const second = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "mercadopago" }, person);
  await mercadopago.pay(second.body.external_id);
  expect(await openEnd(second.body.id, person, "?status=approved")).toContain("¡Suscripción activada!");
  await mercadopago.approve(payment.id);
  const again = await openEnd(checkout, person, "?status=approved");
  expect(again).toContain("Tu pago necesita una revisión");
  expect(again).toContain("no coincide con el plan, o ya tenías una membresía");
  expect(await plans(person)).toContain("No da Gold: ya tenías una membresía");
  expect(await openEnd(checkout, await psychologist())).toContain("Pago no encontrado");
});

test("shows a refused payment, and one that is not finished after 25 h", async () => {
  const { person, checkout, external } = await begun("lifetime", "mercadopago");
  const refused = await mercadopago.pay(external, "rejected");
  refused.payment.date_created = new Date(Date.now() - HOUR);
  expect(await openEnd(checkout, person, "?status=rejected")).toContain("Error en el pago");

  const late = await begun("lifetime", "mercadopago");
  await app.sql("update checkouts set created_at = now() - interval '25 hours' where id = $1", [late.checkout]);
  const expired = await openEnd(late.checkout, late.person);
  expect(expired).toContain("Este pago ya ha terminado");
  expect(expired).toContain("MercadoPago no muestra ningún pago. Puedes empezar otro.");
});

test("shows a month without an agreement, with one, and with a second one after an uncharged one", async () => {
  const { person, checkout, external } = await begun("monthly", "mercadopago", { payer_email: "yo@example.com" });
  // MercadoPago does not reveal if the buyer has agreed, so no text may claim either.
  for (const refuse of [false, true]) {
    if (refuse) await mercadopago.refuseSignUp(external);
    const text = await openEnd(checkout, person);
    expect(text).toContain("Estamos confirmando tu pago");
    expect(text).toContain("Si no llegaste a pagar, no se cobra nada.");
  }
  await deliver(await mercadopago.authorize(external));
  expect(await plans(person)).toContain("Ya tienes Gold; si el cobro no llega, termina el");
  const profile = await shown("/perfil", person);
  expect(profile).toContain("Por confirmar. Falta el primer cobro; mientras tanto, Gold hasta");
  expect(profile).not.toContain("Próximo cobro");

  await deliver(await mercadopago.cancel(external));
  const input = { plan_type: "monthly", method: "mercadopago", payer_email: "yo@example.com" };
  const second = (await app.call("POST", "/checkouts", input, person)).body;
  await deliver(await mercadopago.authorize(second.external_id));
  expect(await openEnd(second.id, person, `?preapproval_id=${second.external_id}`)).toContain(
    "Gold empieza con ese cobro",
  );
  const text = await plans(person);
  expect(text).toContain("más o menos una hora después");
  expect(text).not.toContain("Ya tienes Membresía Gold");
});

test("shows granted Gold separately from a paid month", async () => {
  const { person } = await member();
  await grantGold(person, "never");
  const text = await plans(person);
  for (const words of ["Además, Gold otorgado por el equipo", "Es aparte de tu plan", "Próximo pago"])
    expect(text).toContain(words);
});
