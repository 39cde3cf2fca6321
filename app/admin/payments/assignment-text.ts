import { formatDate } from "#app/lib/dates.ts";
import type { PaymentAssignmentView } from "#shared/payments.ts";
import { PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";

/** Consequences of assigning a payment to a psychologist. */
export function assignmentConsequences(tie: PaymentAssignmentView): string[] {
  const { psychologist, provider, plan_type, paid_at, gold_until, renews, replaces_monthly } = tie;
  const name = PROVIDER_NAMES[provider];
  const until =
    plan_type === "lifetime"
      ? "de por vida"
      : gold_until
        ? `hasta el ${formatDate(gold_until)}`
        : "por 72 horas, hasta el primer cobro";
  return [
    `${psychologist.full_name} tiene Gold ${until}, con el plan ${PLAN_NAMES[plan_type]}${paid_at ? ` que se pagó el ${formatDate(paid_at)}` : ""}.`,
    ...(renews ? [`${name} lo sigue cobrando cada mes; la persona puede cancelarlo cuando quiera.`] : []),
    ...(plan_type === "monthly" && !renews ? [`${name} no lo cobra más.`] : []),
    ...(replaces_monthly ? ["Su plan Mensual de ahora termina y se cancela."] : []),
    "La persona recibe el recibo por correo. Las lecturas siguientes lo mantienen como suyo.",
  ];
}
