import { formatAmount, PLAN_NAMES, PROVIDER_NAMES } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { formatDay } from "#shared/time.ts";
import { type Composers, link, mailTo } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { wasReceived } from "./reconciliation/payment-rules.ts";
import { membershipStatusOf } from "./rules.ts";
import { membershipToMail, type PaymentRow, paymentsOfMembership } from "./store.ts";

type Member = NonNullable<Awaited<ReturnType<typeof membershipToMail>>>;
/** A payment of a membership. `is_first` distinguishes its first received payment from a renewal. */
type Receipt = Member & { payment: PaymentRow; is_first: boolean };

/** Describes the next charge or the end after a payment. Only an active membership has a date of its next charge. */
function whatFollows(receipt: Receipt, now: Date): string {
  const { plan_type, next_billing_date } = receipt;
  const standing = membershipStatusOf(receipt, now);
  if (receipt.status !== "active") return "Esta membresía ya ha terminado.";
  if (plan_type === "lifetime" || !next_billing_date) return "Es un solo pago: la membresía no vence.";
  if (standing === "ending" || receipt.provider === "test")
    return `Gold termina el ${formatDay(next_billing_date)}: no habrá otro cobro.`;
  if (standing !== "active") return "Cómo sigue tu membresía se ve en tu cuenta.";
  return `Próximo pago: ${formatDay(next_billing_date)}. Puedes cancelar cuando quieras; Gold termina en ese momento.`;
}

/** Describes the effect of a payment on its membership. */
function whatHappened({ status, is_first }: Receipt): string {
  if (status !== "active") return "Recibimos este pago de tu membresía Gold.";
  return is_first
    ? "Tu membresía Gold ha sido activada exitosamente. Desde ahora tus respuestas son ilimitadas."
    : "Tu membresía Gold se ha renovado.";
}

/** The receipt of one payment: the first of a membership, or a renewal. */
const receiptMail = (receipt: Receipt, plansUrl: string, now: Date): MailContent => ({
  subject: `Recibo de tu Membresía Gold en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${receipt.full_name}:`,
    whatHappened(receipt),
    ...(receipt.provider === "test" ? ["Este recibo es del modo de prueba: no se ha cobrado dinero."] : []),
    `Plan: ${PLAN_NAMES[receipt.plan_type]}`,
    `Importe: ${formatAmount(receipt.payment.amount, receipt.payment.currency)} ${receipt.payment.currency}`,
    `Fecha: ${formatDay(receipt.payment.paid_at)}`,
    `Número de pago: ${receipt.payment.external_payment_id}`,
    whatFollows(receipt, now),
  ],
  action: { label: "Ver mi membresía", url: plansUrl },
});

/** States until when Gold lasts after a cancellation. A grant of the team may outlast the membership. */
function goldLeft({ gold_until, cancelled_at, next_billing_date }: Member, now: Date): string {
  if (typeof gold_until === "number") return "Gold sigue activo, sin fecha de fin.";
  if (gold_until && gold_until > now) return `Gold sigue activo hasta el ${formatDay(gold_until)}.`;
  return `Gold terminó el ${formatDay(cancelled_at ?? next_billing_date ?? now)}. Tu cuenta y tus respuestas siguen igual.`;
}

/** Confirms a cancellation. The subject is neutral: others may see it on a locked screen. */
const cancelledMail = (cancelled: Member, plansUrl: string, now: Date): MailContent => ({
  subject: "Hay novedades en tu membresía",
  paragraphs: [
    `Hola, ${cancelled.full_name}:`,
    `Tu plan Mensual de ${PRODUCT_NAME} quedó cancelado. ${goldLeft(cancelled, now)}`,
    cancelled.provider === "test"
      ? "Era del modo de prueba: no se ha cobrado ni se cobrará dinero."
      : `No se te cobrará nada más. Si aun así ves un cobro nuevo de ${PROVIDER_NAMES[cancelled.provider]}, escríbenos desde Contacto y lo devolvemos.`,
    "Si quieres volver a Gold, elige un plan desde tu cuenta cuando quieras.",
  ],
  action: { label: "Ver los planes", url: plansUrl },
});

/** A payment at a provider that is not what was offered: it gives no Gold, and is ended there. */
const mismatchMail = (to: Member, plansUrl: string): MailContent => {
  const name = PROVIDER_NAMES[to.provider];
  return {
    subject: `Tu pago con ${name} no coincide con el plan`,
    paragraphs: [
      `Hola, ${to.full_name}:`,
      `La suscripción que se hizo con ${name} no coincide con el plan que elegiste en ${PRODUCT_NAME}: el plan, el importe o la cuenta son otros. Por eso no vale para Gold.`,
      `Le hemos pedido a ${name} que la termine para que no vuelva a cobrarte. Si ya se cobró algo, nuestro equipo lo revisa y lo devuelve por ${name}.`,
      "Si quieres Gold, elige el plan otra vez desde tu cuenta. Si crees que es un error, escríbenos desde Contacto.",
    ],
    action: { label: "Ver los planes", url: plansUrl },
  };
};

export const membershipMails: Composers<"membership_receipt" | "membership_cancelled" | "payment_mismatch"> = {
  async membership_receipt(context, job) {
    const member = await membershipToMail(context.db, job.subscription_id);
    const payments = await paymentsOfMembership(context.db, member?.subscription_id);
    const payment = payments.find(({ id }) => id === job.payment_id);
    if (!member || !payment) return null;
    const is_first = !payments.some((each) => wasReceived(each) && each.paid_at < payment.paid_at);
    return mailTo(member, receiptMail({ ...member, payment, is_first }, link(context, "/planes"), context.now()));
  },
  async membership_cancelled(context, job) {
    const cancelled = await membershipToMail(context.db, job.subscription_id);
    // Replaced, refunded or ended by the team before the mail was sent: other mails say that.
    if (!cancelled || !["person", "provider", null].includes(cancelled.ended_by)) return null;
    return mailTo(cancelled, cancelledMail(cancelled, link(context, "/planes"), context.now()));
  },
  async payment_mismatch(context, job) {
    const payer = await membershipToMail(context.db, job.subscription_id);
    return payer ? mailTo(payer, mismatchMail(payer, link(context, "/planes"))) : null;
  },
};
