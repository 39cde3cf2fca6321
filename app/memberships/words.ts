import { errorWords, refusalWords } from "#app/lib/error-messages.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";

/** Words of the address for the plans. */
export const PLAN_SLUGS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

/** Said before anybody pays. */
export const NO_REFUNDS =
  "Una vez pagado no hay reembolsos; la mensual se cancela cuando quieras, y Gold termina en ese momento.";

const ACTIVATED = "Tu membresía Gold ha sido activada exitosamente";

/** What is said when a payment went well (specification, section 8): each payment service has its own words. */
export const paidWords: Record<PaymentMethod, Toast> = {
  paypal: { title: "¡Suscripción exitosa!", description: ACTIVATED },
  mercadopago: { title: "¡Pago exitoso!", description: ACTIVATED },
};

/** What is said when a payment was refused. */
export const failedWords: Record<PaymentMethod, Toast & { description: string }> = {
  paypal: { title: "Error en la suscripción", description: "Hubo un problema al procesar tu pago", tone: "error" },
  mercadopago: {
    title: "Error en el pago",
    description: "Hubo un problema al procesar tu pago. Inténtalo nuevamente.",
    tone: "error",
  },
};

/** What is said when something was paid, but not what was offered. */
export const reviewWords = {
  title: "Tu pago necesita una revisión",
  description:
    "Lo pagado no coincide con el plan, o se ha pagado de más. Lo revisa una persona del equipo y te escribiremos; no vuelvas a pagar.",
};

/** What is said when the payment window does not open. */
export const blockedWords: Record<PaymentMethod, string> = {
  paypal: "No se pudo abrir PayPal. Verifica que no esté bloqueado el popup.",
  mercadopago: "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.",
};

/** What stands in a payment window until the payment service's page does. */
export const openingWords: Record<PaymentMethod, string> = {
  paypal: "Abriendo PayPal…",
  mercadopago: "Abriendo MercadoPago…",
};

/** What is said when PayPal's own button reports an error. */
export const paypalErrorWords: Toast = {
  title: "Error de PayPal",
  description: "Hubo un problema con el procesador de pagos",
  tone: "error",
};

/** What is said when a payment could not be begun: the product's own refusal, or the service's fault. */
export function notBegunWords(method: PaymentMethod, refused: ErrorBody | null): Toast {
  // Whoever presses on an open page was signed in when it came.
  if (refused?.code === "sign_in_to_subscribe") return { ...errorWords("signed_out_on_plans"), tone: "error" };
  if (refused && !["payment_service_failed", "unexpected", "unavailable", "busy"].includes(refused.code))
    return { ...refusalWords(refused), tone: "error" };
  return method === "paypal" ? paypalErrorWords : failedWords.mercadopago;
}

/** What is said when nobody can tell whether a payment went through. */
export const unknownWords: Toast = {
  title: "Error",
  description: "No se pudo activar la suscripción",
  tone: "error",
};
