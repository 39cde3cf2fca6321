/** Where a payment window ends: what the provider's address says, and what is shown. */
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES } from "#shared/plans.ts";
import { ACTIVATED, CONFIRMING, failedWords, pendingWords, reviewWords } from "./words.ts";

const IF_PAID = "Si has pagado, tu membresía se activa sola";

/** What the address says with which the provider sent the buyer back: paid, begun, without a payment, or nothing. */
type Return = "paid" | "begun" | "unpaid" | "silent";

/**
 * How the buyer came back, by the parameters that the provider put into the address. MercadoPago writes "null" where there
 * is no payment; for a subscription it says nothing, whether it was approved or not. PayPal says nothing either, and sends
 * only approved buyers here.
 */
export function returnOf(address: URLSearchParams): Return {
  const status = address.get("status") ?? address.get("collection_status");
  if (!status) return "silent";
  if (["approved", "authorized"].includes(status)) return "paid";
  return ["pending", "in_process"].includes(status) ? "begun" : "unpaid";
}

/** True if the return itself reports a payment: PayPal sends only approved buyers here, MercadoPago says it in the address. */
export const hasReportedPayment = ({ method }: Pick<CheckoutView, "method">, returned: Return): boolean =>
  returned === "paid" || returned === "begun" || (returned === "silent" && method === "paypal");

/**
 * Shown where a payment window ends. Only the words depend on how the buyer came back, since addresses can be forged.
 * @param isLong it has been asked about for some minutes
 */
export function endWords(
  checkout: CheckoutView,
  returned: Return,
  isLong: boolean,
): { title: string; description: string } {
  const { status, method } = checkout;
  const name = METHOD_NAMES[method];
  if (status === "paid") return { title: "¡Suscripción activada!", description: `${ACTIVATED}.` };
  if (status === "mismatch") return reviewWords;
  if (status === "expired")
    return {
      title: "Este pago ya ha terminado",
      description: `Ha pasado más de un día y ${name} no muestra ningún pago. Puedes empezar otro. ${IF_PAID}.`,
    };
  if (checkout.payment_pending) return { title: CONFIRMING, description: pendingWords(checkout) };
  if (!isAwaited(checkout, returned))
    return status === "failed"
      ? failedWords[method]
      : { title: "El pago no se ha completado", description: "Puedes intentarlo otra vez cuando quieras." };
  if (isLong)
    return {
      title: `${name} todavía no muestra tu pago`,
      description: `${IF_PAID} en cuanto lo muestre: seguimos comprobándolo. Si no llegaste a pagar, no se cobra nada y puedes intentarlo otra vez.`,
    };
  return {
    title: CONFIRMING,
    description: `${name} puede tardar unos minutos en mostrarlo. ${IF_PAID}: no hace falta que esperes aquí. Si no llegaste a pagar, no se cobra nada.`,
  };
}

/**
 * Whether a payment may still show up for a checkout that is not settled. A refusal may be that of an earlier card, where
 * the provider sent the buyer back with a payment.
 */
export const isAwaited = (
  { status, payment_pending }: Pick<CheckoutView, "status" | "payment_pending">,
  returned: Return,
): boolean =>
  status === "open"
    ? payment_pending || returned !== "unpaid"
    : status === "failed" && (returned === "paid" || returned === "begun");
