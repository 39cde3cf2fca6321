import { CHECKING_WORDS, UNKNOWN_WORDS } from "#app/components/press.tsx";
import { resolveMessage } from "#app/lib/client-error-messages.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import type { Toast } from "#app/ui/toast.tsx";
import type { CheckoutView } from "#shared/memberships.ts";
import { METHOD_NAMES, type PaymentMethod, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { CheckoutFailure, PendingPayment } from "./checkout-state.ts";

type MethodDetails = {
  from: string;
  windowNote: string;
  /** Variant of its button. With "soft" the whole card is quieter. */
  button: "primary" | "soft";
  paidTitle: string;
  /** Text while a payment is incomplete: the missing step, and how long it may take. An upgrading member has Gold. */
  pending: Record<PlanType, string>;
  /** Hint after an unpaid checkout, with a space before it. */
  unpaidHint: Record<PlanType, string>;
  refused: Toast & { description: string };
  startFailed: Toast;
  /** Toast if its popup or button reports an error while the outcome is uncertain; null if the report means nothing. */
  reportedError: Toast | null;
  /** True if the provider redirects only approved buyers back to us, so that a return reports a payment. */
  returnsOnlyApproved: boolean;
};

const paypalError: Toast = {
  title: "Error de PayPal",
  description: "Hubo un problema con el procesador de pagos",
  tone: "error",
};
const mercadopagoError = {
  title: "Error en el pago",
  description: "Hubo un problema al procesar tu pago. Inténtalo nuevamente.",
  tone: "error",
} as const;

/** One entry for each method, so that the compiler names what a new one needs (docs/decisions/0020). */
export const METHODS: Record<PaymentMethod, MethodDetails> = {
  paypal: {
    from: "Desde cualquier país",
    windowNote: `Se abre una ventana de PayPal. ${PRODUCT_NAME} no ve los datos de tu tarjeta.`,
    button: "primary",
    paidTitle: "¡Suscripción exitosa!",
    pending: {
      monthly:
        "PayPal todavía no ha recibido el dinero; desde una cuenta bancaria puede tardar días. Gold empieza cuando llegue",
      lifetime:
        "PayPal todavía no ha recibido el dinero; desde una cuenta bancaria puede tardar días. Lifetime empieza cuando llegue",
    },
    unpaidHint: { monthly: "", lifetime: "" },
    refused: { title: "Error en la suscripción", description: "Hubo un problema al procesar tu pago", tone: "error" },
    startFailed: paypalError,
    reportedError: paypalError,
    returnsOnlyApproved: true,
  },
  mercadopago: {
    from: "En pesos argentinos",
    windowNote: "Verifica que tu navegador no bloquee ventanas emergentes.",
    button: "soft",
    paidTitle: "¡Pago exitoso!",
    pending: {
      monthly:
        "MercadoPago hace el primer cobro más o menos una hora después de suscribirte. Gold empieza con ese cobro",
      lifetime:
        "MercadoPago todavía no ha recibido el dinero; en efectivo puede tardar días. Lifetime empieza cuando llegue",
    },
    // It may reject the payment of another account as a high risk.
    unpaidHint: {
      monthly: " MercadoPago solo acepta el pago desde la cuenta con el correo que escribiste.",
      lifetime: "",
    },
    refused: mercadopagoError,
    startFailed: mercadopagoError,
    reportedError: null,
    // Its popup also closes like this without a payment. Its return URL says more.
    returnsOnlyApproved: false,
  },
};

export const PLAN_SLUGS: Record<PlanType, string> = { monthly: "mensual", lifetime: "lifetime" };

export const NO_REFUNDS =
  "Una vez pagado no hay devoluciones; la mensual se cancela cuando quieras, y Gold termina en ese momento.";

/** Title of a payment that the provider may still confirm. */
export const CONFIRMING = "Estamos confirmando tu pago";

export const ACTIVATED = "Tu membresía Gold ha sido activada exitosamente";

/** Toast after a completed checkout (specification, section 8). */
export const paidToast = ({ method }: Pick<CheckoutView, "method">): Toast => ({
  title: METHODS[method].paidTitle,
  description: ACTIVATED,
});

/** Text while a started payment is incomplete: what is missing if the provider says so, and how long that may take. */
export const pendingText = ({ method, plan_type, payment_pending }: CheckoutView): string =>
  payment_pending
    ? `${METHODS[method].pending[plan_type]}: no hace falta que pagues otra vez.`
    : errorMessage("payment_confirming").description;

export const NOTHING_CHARGED =
  "No se te cobró nada. Revisa los datos de la tarjeta, usa otra o paga con otro servicio.";

export const mismatchMessage = {
  title: "Tu pago necesita una revisión",
  description:
    "No da Gold: no coincide con el plan, o ya tenías una membresía. Si es una suscripción, le pedimos al servicio de pago que no cobre más. El equipo revisa lo que se haya cobrado para devolvértelo.",
};

export const popupBlockedText = (method: PaymentMethod): string =>
  `No se pudo abrir ${METHOD_NAMES[method]}. Verifica que no esté bloqueado el popup.`;

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

export const checkingWords: Toast = { title: UNKNOWN_WORDS, description: CHECKING_WORDS };
