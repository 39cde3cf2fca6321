import { errorWords, refusalWords } from "#app/lib/error-words.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";

/** The plan in the address of the plans page. */
export const PLAN_SLUGS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

/** Shown before paying. */
export const NO_REFUNDS =
  "Una vez pagado no hay reembolsos; la mensual se cancela cuando quieras, y Gold termina en ese momento.";

const ACTIVATED = "Tu membresía Gold ha sido activada exitosamente";

/** Shown when a payment succeeded (specification, section 8): each provider has its own words. */
export const paidWords: Record<PaymentMethod, Toast> = {
  paypal: { title: "¡Suscripción exitosa!", description: ACTIVATED },
  mercadopago: { title: "¡Pago exitoso!", description: ACTIVATED },
};

/** Shown when a payment was refused. */
export const failedWords: Record<PaymentMethod, Toast & { description: string }> = {
  paypal: { title: "Error en la suscripción", description: "Hubo un problema al procesar tu pago", tone: "error" },
  mercadopago: {
    title: "Error en el pago",
    description: "Hubo un problema al procesar tu pago. Inténtalo nuevamente.",
    tone: "error",
  },
};

/** Shown when what was paid does not match the offer. */
export const reviewWords = {
  title: "Tu pago necesita una revisión",
  description:
    "Lo pagado no coincide con el plan, o se ha pagado de más. Lo revisa una persona del equipo y te escribiremos; no vuelvas a pagar.",
};

/** Shown when the browser blocks the payment window. */
export const blockedWords: Record<PaymentMethod, string> = {
  paypal: "No se pudo abrir PayPal. Verifica que no esté bloqueado el popup.",
  mercadopago: "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.",
};

/** Shown in the payment window until the provider's page is loaded. */
export const openingWords: Record<PaymentMethod, string> = {
  paypal: "Abriendo PayPal…",
  mercadopago: "Abriendo MercadoPago…",
};

/** Shown when PayPal's own button reports an error. */
export const paypalErrorWords: Toast = {
  title: "Error de PayPal",
  description: "Hubo un problema con el procesador de pagos",
  tone: "error",
};

/** Shown when a checkout could not be begun: our own refusal, or a failure of the provider. */
export function notBegunWords(method: PaymentMethod, refused: ErrorBody | null): Toast {
  // The user was signed in when this page was loaded.
  if (refused?.code === "sign_in_to_subscribe") return { ...errorWords("signed_out_on_plans"), tone: "error" };
  if (refused && !["payment_provider_failed", "unexpected", "unavailable", "busy"].includes(refused.code))
    return { ...refusalWords(refused), tone: "error" };
  return method === "paypal" ? paypalErrorWords : failedWords.mercadopago;
}

/** Shown when it cannot be found out whether a payment succeeded. */
export const unknownWords: Toast = {
  title: "Error",
  description: "No se pudo activar la suscripción",
  tone: "error",
};
