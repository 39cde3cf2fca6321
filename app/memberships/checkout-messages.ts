import { CHECKING_WORDS, UNKNOWN_WORDS } from "#app/components/press.tsx";
import { browserErrorMessage, errorMessage } from "#app/lib/error-messages.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { ErrorBody } from "#shared/errors.ts";
import type { CheckoutView } from "#shared/memberships.ts";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";

export const PLAN_SLUGS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

export const NO_REFUNDS =
  "Una vez pagado no hay reembolsos; la mensual se cancela cuando quieras, y Gold termina en ese momento.";

/** Title of a payment that may still be confirmed. */
export const CONFIRMING = "Estamos confirmando tu pago";

export const ACTIVATED = "Tu membresía Gold ha sido activada exitosamente";

/** Toast after a completed checkout (specification, section 8). Each provider has its own text. */
export const paidToast = ({ method }: Pick<CheckoutView, "method">): Toast => ({
  title: method === "mercadopago" ? "¡Pago exitoso!" : "¡Suscripción exitosa!",
  description: ACTIVATED,
});

const NO_SECOND_PAYMENT = "no hace falta que pagues otra vez.";

/** Text while a started payment is incomplete: what is missing, and how long that may take. */
export function pendingText({ method, plan_type }: Pick<CheckoutView, "method" | "plan_type">): string {
  // An upgrading psychologist already has Gold.
  const what = plan_type === "lifetime" ? "Lifetime" : "Gold";
  if (method === "paypal")
    return `PayPal todavía no ha recibido el dinero; desde una cuenta bancaria puede tardar días. ${what} empieza cuando llegue: ${NO_SECOND_PAYMENT}`;
  return plan_type === "monthly"
    ? `MercadoPago hace el primer cobro más o menos una hora después de suscribirte. Gold empieza con ese cobro: ${NO_SECOND_PAYMENT}`
    : `MercadoPago todavía no ha recibido el dinero; en efectivo puede tardar días. ${what} empieza cuando llegue: ${NO_SECOND_PAYMENT}`;
}

/** Follows the message about a refused payment. */
export const NOTHING_CHARGED =
  "No se te cobró nada. Revisa los datos de la tarjeta, usa otra o paga con otro servicio.";

/** Hint after an unpaid month at MercadoPago, which may reject the payment of another account as a high risk. */
export const payerHint = ({ method, plan_type }: Pick<CheckoutView, "method" | "plan_type">): string =>
  method === "mercadopago" && plan_type === "monthly"
    ? " MercadoPago solo acepta el pago desde la cuenta con el correo que escribiste."
    : "";

export const failedToasts: Record<PaymentMethod, Toast & { description: string }> = {
  paypal: { title: "Error en la suscripción", description: "Hubo un problema al procesar tu pago", tone: "error" },
  mercadopago: {
    title: "Error en el pago",
    description: "Hubo un problema al procesar tu pago. Inténtalo nuevamente.",
    tone: "error",
  },
};

/** Text if the payment gives no Gold: it does not match the offer, or another membership is in force. */
export const mismatchMessage = {
  title: "Tu pago necesita una revisión",
  description:
    "No da Gold: no coincide con el plan, o ya tenías una membresía. Si es una suscripción, le pedimos al servicio de pago que no cobre más. El equipo revisa lo que se haya cobrado para devolvértelo.",
};

export const popupBlockedText: Record<PaymentMethod, string> = {
  paypal: "No se pudo abrir PayPal. Verifica que no esté bloqueado el popup.",
  mercadopago: "No se pudo abrir MercadoPago. Verifica que no esté bloqueado el popup.",
};

/** Text of the payment popup until the provider's page loads. */
export const openingText: Record<PaymentMethod, string> = {
  paypal: "Abriendo PayPal…",
  mercadopago: "Abriendo MercadoPago…",
};

export const paypalErrorToast: Toast = {
  title: "Error de PayPal",
  description: "Hubo un problema con el procesador de pagos",
  tone: "error",
};

/** Toast if a checkout could not be started: our own error, or a failure of the provider. */
export function checkoutErrorToast(method: PaymentMethod, refused: ErrorBody | null): Toast {
  // The user was signed in when this page loaded.
  if (refused?.code === "sign_in_to_subscribe") return { ...errorMessage("sign_in_to_see_plans"), tone: "error" };
  if (refused && !["payment_provider_failed", "internal_error", "unavailable", "server_busy"].includes(refused.code))
    return { ...browserErrorMessage(refused), tone: "error" };
  return method === "paypal" ? paypalErrorToast : failedToasts.mercadopago;
}

/** Toast while the outcome of starting a checkout is unknown. */
export const checkingWords: Toast = { title: UNKNOWN_WORDS, description: CHECKING_WORDS };

export const notKnownWords: Toast = {
  title: UNKNOWN_WORDS,
  description: "No hay respuesta. Inténtalo otra vez cuando tengas conexión: sigue el mismo pago.",
  tone: "error",
};

/** Toast if the result of a payment cannot be determined. */
export const unknownStatusToast: Toast = {
  title: "Error",
  description: "No se pudo activar la suscripción",
  tone: "error",
};
