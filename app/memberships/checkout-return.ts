import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES, RETURNED_PAYMENT_ID } from "#shared/plans.ts";
import { ACTIVATED, CONFIRMING, METHODS, mismatchMessage, NOTHING_CHARGED, pendingText } from "./checkout-messages.ts";

const IF_PAID = "Si has pagado, tu membresía se activa sola";

type CheckoutReturn = "paid" | "begun" | "unpaid" | "silent";

/** MercadoPago sends "null" if there is no payment, and nothing for a subscription. PayPal sends nothing. */
export function parseCheckoutReturn(address: URLSearchParams): CheckoutReturn {
  const status = address.get("status") ?? address.get("collection_status");
  if (!status) return "silent";
  if (["approved", "authorized"].includes(status)) return "paid";
  return ["pending", "in_process"].includes(status) ? "begun" : "unpaid";
}

/** The provider's id of the payment in its query parameters. It only says what to read, because URLs can be forged. */
export const reportedPayment = (address: URLSearchParams): string | undefined =>
  address.get("payment_id")?.match(RETURNED_PAYMENT_ID)?.[0];

export const hasReportedPayment = ({ method }: Pick<CheckoutView, "method">, returned: CheckoutReturn): boolean =>
  returned === "paid" || returned === "begun" || (returned === "silent" && METHODS[method].returnsOnlyApproved);

/** Text of the payment result page. The return URL affects only the text, because URLs can be forged. */
export function checkoutReturnMessage(
  checkout: CheckoutView,
  returned: CheckoutReturn,
  isLong: boolean,
): { title: string; description: string } {
  const { status, method } = checkout;
  const name = METHOD_NAMES[method];
  if (status === "paid") return { title: "¡Suscripción activada!", description: `${ACTIVATED}.` };
  if (status === "mismatch") return mismatchMessage;
  if (status === "expired")
    return {
      title: "Este pago ya ha terminado",
      description: `Ha pasado más de un día y ${name} no muestra ningún pago. Puedes empezar otro. ${IF_PAID}.`,
    };
  if (checkout.payment_pending) return { title: CONFIRMING, description: pendingText(checkout) };
  if (!isPaymentExpected(checkout, returned))
    return status === "failed"
      ? {
          ...METHODS[method].refused,
          description: `${METHODS[method].refused.description.replace(/\.?$/, ".")} ${NOTHING_CHARGED}`,
        }
      : {
          title: "El pago no se ha completado",
          description: `Puedes intentarlo otra vez cuando quieras.${METHODS[method].unpaidHint[checkout.plan_type]}`,
        };
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

/** "failed" may belong to an earlier card if the provider reported a payment. */
export const isPaymentExpected = (
  { status, payment_pending }: Pick<CheckoutView, "status" | "payment_pending">,
  returned: CheckoutReturn,
): boolean =>
  status === "open"
    ? payment_pending || returned !== "unpaid"
    : status === "failed" && (returned === "paid" || returned === "begun");
