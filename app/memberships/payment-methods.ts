import type { Toast } from "#app/ui/toast.tsx";
import type { PaymentMethod, PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";

/** Texts and behaviour of a payment method on the pages of a payment. */
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
