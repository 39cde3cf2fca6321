import type { PaymentsView } from "#shared/payments.ts";

export type Problem = PaymentsView["problems"][number];

export const PROBLEMS: Record<Problem["kind"], { title: string; todo: string }> = {
  mismatch: {
    title: "Pago que no coincide con el plan",
    todo: "No dio Gold. Si era una suscripción, ya se pidió al servicio que la termine y la persona lo sabe por correo. Lo que se haya cobrado, devuélvelo en el servicio de pago; si es de otra persona y sabes de quién, vincúlalo.",
  },
  unmatched: {
    title: "Pago sin dueño conocido",
    todo: "El servicio de pago avisó de algo que no reconocemos o que no nos deja leer, o es de alguien que ya eliminó su cuenta. Léelo ahora, o búscalo allí por su número; si sabes de quién es, vincúlalo.",
  },
  duplicate_payment: {
    title: "Pago de más",
    todo: "Ya tenía Gold cuando pagó otra vez. Devuelve este pago en el servicio.",
  },
  partial_refund: {
    title: "Devolución parcial",
    todo: "Gold sigue. Si la devolución debía terminarlo, devuelve el resto.",
  },
  previous_period_refund: {
    title: "Devolución de un mes anterior",
    todo: "Gold sigue con el pago de este mes. Revisa si era lo que querías.",
  },
  dispute: {
    title: "Pago en disputa",
    todo: "Gold sigue mientras el servicio decide. Responde allí antes de su plazo.",
  },
  chargeback: {
    title: "Contracargo",
    todo: "El banco se llevó el dinero de este pago. Si no es lo correcto, presenta tus pruebas en el servicio antes de su plazo.",
  },
  reversal: {
    title: "Contracargo por aclarar",
    todo: "El servicio avisó de un contracargo que no pudimos leer con certeza. Compruébalo allí.",
  },
  payment_after_end: {
    title: "Cobro después de terminar",
    todo: "No dio Gold: la membresía ya había terminado aquí, o terminó antes de que viéramos el cobro. Devuélvelo y comprueba que esté cancelada allí.",
  },
  unreadable: {
    title: "Membresía que no se puede leer",
    todo: "El servicio de pago no responde o responde algo que no entendemos. Se intenta otra vez sola; Gold sigue hasta 14 días después de su fecha. Si dura más de un día, comprueba allí la suscripción; si paga, puedes otorgarle Gold mientras tanto.",
  },
  unreachable: {
    title: "El servicio de pago no responde",
    todo: "Desde hace una hora no responde, o no acepta nuestras credenciales. Gold sigue mientras tanto. Comprueba las credenciales en la configuración del servidor y el estado del servicio; se resuelve solo en cuanto responda.",
  },
  cancellation_unconfirmed: {
    title: "Cancelación sin confirmar",
    todo: "Ya terminó aquí, pero el servicio de pago no lo confirma y podría seguir cobrando. Se le repite hasta que lo confirme; si no lo hace, cancélala allí por su número. Si dejas de intentarlo, la persona lee en su página de planes que lo compruebe.",
  },
};

export const REASONS: Record<NonNullable<Problem["reason"]>, string> = {
  plan: "el plan es otro",
  owner: "es de otra persona",
  altered: "alguien cambió sus condiciones",
  amount: "el importe es menor",
  currency: "la moneda es otra",
};
