import { errorWords } from "#app/lib/error-messages.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { PaymentMethod } from "#shared/plans.ts";

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

/** What is said when the payment window does not open. */
export const blockedWords: Record<PaymentMethod, string> = {
  paypal: "No se pudo abrir PayPal. Verifica que no esté bloqueado el popup.",
  mercadopago: "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.",
};

/** What is said when a payment could not be begun: the product's own refusal, or the service's fault. */
export function notBegunWords(method: PaymentMethod, refused: ErrorBody | null): Toast {
  // Whoever presses on an open page was signed in when it came.
  if (refused?.code === "sign_in_to_subscribe") return { ...errorWords("signed_out_on_plans"), tone: "error" };
  if (refused && !["payment_service_failed", "unexpected", "unavailable", "busy"].includes(refused.code))
    return { ...errorWords(refused.code, refused.facts), tone: "error" };
  return method === "paypal"
    ? { title: "Error de PayPal", description: "Hubo un problema con el procesador de pagos", tone: "error" }
    : failedWords.mercadopago;
}

/** What is said when nobody can tell whether a payment went through. */
export const unknownWords: Toast = {
  title: "Error",
  description: "No se pudo activar la suscripción",
  tone: "error",
};
