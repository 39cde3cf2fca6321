/** Shows the page at the end of a payment with MercadoPago, and the plans in rare states. */
import { expect, test } from "vitest";
import { HOUR } from "#shared/time.ts";
import type { TestUser } from "./app.ts";
import { grantGold } from "./gold.ts";
import { wordsOf } from "./markup.tsx";
import { app, begun, deliver, member, mercadopago, psychologist, withPayments } from "./payment-app.ts";

withPayments();

const shown = async (path: string, as: TestUser) =>
  wordsOf((await app.page(path, as)).text.replace(/<script[\s\S]*?<\/script>|<!--.*?-->/g, ""));
/** Opens the page to which MercadoPago redirects. */
const openEnd = (checkout: string, as: TestUser, query = "") => shown(`/planes/pago/${checkout}/fin${query}`, as);

test("shows the state of each payment of a lifetime plan", async () => {
  const { person, checkout, external } = await begun("lifetime", "mercadopago");
  const opened = await openEnd(checkout, person);
  expect(opened).toContain("Estamos confirmando tu pago");
  expect(opened).toContain("puede tardar unos minutos en mostrarlo. Si has pagado, tu membresía se activa sola");
  expect(opened).toContain("Si no llegaste a pagar, no se cobra nada.");
  expect(await openEnd(checkout, person, "?status=null")).toContain("El pago no se ha completado");
  await mercadopago.pay(external, "pending");
  // A pending cash payment remains pending if the buyer returns again without paying.
  for (const query of ["?status=pending", "?status=null"]) {
    const cash = await openEnd(checkout, person, query);
    expect(cash).toContain("Estamos confirmando tu pago");
    expect(cash).toContain("en efectivo puede tardar días");
    expect(cash).toContain("no hace falta que pagues otra vez");
  }
  const waiting = await shown("/planes", person);
  expect(waiting).toContain("Lifetime empieza cuando llegue");
  expect(waiting).not.toContain("Pagar con MercadoPago");

  // Another payment gives Gold, and then the cash payment completes.
  const second = await app.call("POST", "/checkouts", { plan_type: "lifetime", method: "mercadopago" }, person);
  await mercadopago.pay(second.body.external_id);
  expect(await openEnd(second.body.id, person, "?status=approved")).toContain("¡Suscripción activada!");
  await mercadopago.approve([...mercadopago.payments.values()].find(({ status }) => status === "pending")!.id);
  const again = await openEnd(checkout, person, "?status=approved");
  expect(again).toContain("Tu pago necesita una revisión");
  expect(again).toContain("no coincide con el plan, o ya tenías una membresía");
  expect(await shown("/planes", person)).toContain("No da Gold: ya tenías una membresía");
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
  expect(await openEnd(checkout, person)).toContain("Si no llegaste a pagar, no se cobra nada.");
  await deliver(await mercadopago.authorize(external));
  expect(await shown("/planes", person)).toContain("Ya tienes Gold; si el cobro no llega, termina el");
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
  const plans = await shown("/planes", person);
  expect(plans).toContain("más o menos una hora después");
  expect(plans).not.toContain("Ya tienes Membresía Gold");
});

test("shows granted Gold separately from a paid month", async () => {
  const { person } = await member();
  await grantGold(person, "never");
  const plans = await shown("/planes", person);
  for (const words of ["Además, Gold otorgado por el equipo", "Es aparte de tu plan", "Próximo pago"])
    expect(plans).toContain(words);
});
