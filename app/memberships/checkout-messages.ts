import { CHECKING_WORDS, UNKNOWN_WORDS } from "#app/components/press.tsx";
import { resolveMessage } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES, type PaymentMethod, type PlanType } from "#shared/plans.ts";
import type { CheckoutFailure } from "./checkout-api.ts";
import type { PendingPayment } from "./checkout-state.ts";
import { METHODS } from "./payment-methods.ts";

export const PLAN_SLUGS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

export const NO_REFUNDS =
  "Una vez pagado no hay devoluciones; la mensual se cancela cuando quieras, y Gold termina en ese momento.";

/** Title of a payment that the provider may still confirm. */
export const CONFIRMING = "Estamos confirmando tu pago";

export const ACTIVATED = "Tu membresía Gold ha sido activada exitosamente";

/** Toast after a completed checkout (specification, section 8). Each provider has its own text. */
export const paidToast = ({ method }: Pick<CheckoutView, "method">): Toast => ({
  title: METHODS[method].paidTitle,
  description: ACTIVATED,
});

/** Text while a started payment is incomplete: what is missing if the provider says so, and how long that may take. */
export const pendingText = ({ method, plan_type, payment_pending }: CheckoutView): string =>
  payment_pending
    ? `${METHODS[method].pending[plan_type]}: no hace falta que pagues otra vez.`
    : errorMessage("payment_confirming").description;

/** Follows the message about a refused payment. */
export const NOTHING_CHARGED =
  "No se te cobró nada. Revisa los datos de la tarjeta, usa otra o paga con otro servicio.";

/** Text if the payment gives no Gold: it does not match the offer, or another membership is in force. */
export const mismatchMessage = {
  title: "Tu pago necesita una revisión",
  description:
    "No da Gold: no coincide con el plan, o ya tenías una membresía. Si es una suscripción, le pedimos al servicio de pago que no cobre más. El equipo revisa lo que se haya cobrado para devolvértelo.",
};

export const popupBlockedText = (method: PaymentMethod): string =>
  `No se pudo abrir ${METHOD_NAMES[method]}. Verifica que no esté bloqueado el popup.`;

/** Text of the payment popup until the provider's page loads. */
export const openingText = (method: PaymentMethod): string => `Abriendo ${METHOD_NAMES[method]}…`;

/** Toast if a checkout did not start: no response, our own error, or a failure of the provider. */
export function checkoutErrorToast(method: PaymentMethod, failure: CheckoutFailure): Toast {
  if (failure === "lost")
    return {
      title: UNKNOWN_WORDS,
      description: "No hay respuesta. Inténtalo otra vez cuando tengas conexión: sigue el mismo pago.",
      tone: "error",
    };
  const { startFailed } = METHODS[method];
  if (failure === "unsent") return startFailed;
  // The user was signed in when this page loaded.
  if (failure.code === "sign_in_to_subscribe") return { ...errorMessage("sign_in_to_see_plans"), tone: "error" };
  if (["payment_provider_failed", "internal_error", "unavailable", "server_busy"].includes(failure.code))
    return startFailed;
  const words = errorMessage(failure.code, failure.details, true);
  return { ...resolveMessage({ ...failure, words }), tone: "error" };
}

/** Toast when a payment becomes pending: it was refused, or its first check gave no answer or followed an error. */
export function pendingToast({ kind, polls, outcome, checkout }: PendingPayment): Toast | null {
  const { refused, reportedError } = METHODS[checkout.method];
  if (kind === "refused") return refused;
  if (kind === "review" || polls > 0) return null;
  if (kind === "unreachable")
    return { title: "Error", description: "No se pudo activar la suscripción", tone: "error" };
  return outcome === "error" ? reportedError : null;
}

/** Toast while the outcome of starting a checkout is unknown. */
export const checkingWords: Toast = { title: UNKNOWN_WORDS, description: CHECKING_WORDS };
