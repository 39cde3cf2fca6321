import { formatAmount, PLAN_NAMES, PROVIDER_NAMES, type Provider } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { formatDay } from "#shared/time.ts";
import { profileById } from "../accounts/store.ts";
import { type Composers, letter } from "../mail/composing.ts";
import { grantToNotify } from "./grants/store.ts";
import { wasReceived } from "./reconciliation/payment-rules.ts";
import { membershipStatusOf, mustCancelAtProvider } from "./rules.ts";
import { currentMembership, membershipToMail, type PaymentRow, paymentsOfMembership } from "./store.ts";

type Member = NonNullable<Awaited<ReturnType<typeof membershipToMail>>>;

const LIST = new Intl.ListFormat("es", { type: "conjunction" });

const MEMBERSHIP = ["Ver mi membresía", "/planes"] as const;
const PLANS = ["Ver los planes", "/planes"] as const;

/** Describes the next charge or the end after a payment. Only an active membership has a date of its next charge. */
function whatFollows(member: Member, now: Date): string {
  const { plan_type, next_billing_date } = member;
  const standing = membershipStatusOf(member, now);
  if (member.status !== "active") return "Esta membresía ya ha terminado.";
  if (plan_type === "lifetime" || !next_billing_date) return "Es un solo pago: la membresía no vence.";
  if (standing === "ending" || member.provider === "test")
    return `Gold termina el ${formatDay(next_billing_date)}: no habrá otro cobro.`;
  if (standing !== "active") return "Cómo sigue tu membresía se ve en tu cuenta.";
  return `Próximo pago: ${formatDay(next_billing_date)}. Puedes cancelar cuando quieras; Gold termina en ese momento.`;
}

/** Describes the effect of a payment on its membership. @param isFirst false for a renewal */
function whatHappened({ status }: Member, isFirst: boolean): string {
  if (status !== "active") return "Recibimos este pago de tu membresía Gold.";
  return isFirst
    ? "Tu membresía Gold ha sido activada exitosamente. Desde ahora tus respuestas son ilimitadas."
    : "Tu membresía Gold se ha renovado.";
}

/** The receipt of one payment. */
const receiptParagraphs = (member: Member, payment: PaymentRow, isFirst: boolean, now: Date) => [
  whatHappened(member, isFirst),
  member.provider === "test" && "Este recibo es del modo de prueba: no se ha cobrado dinero.",
  `Plan: ${PLAN_NAMES[member.plan_type]}`,
  `Importe: ${formatAmount(payment.amount, payment.currency)} ${payment.currency}`,
  `Fecha: ${formatDay(payment.paid_at)}`,
  `Número de pago: ${payment.external_payment_id}`,
  whatFollows(member, now),
];

/** States until when Gold lasts after a cancellation. A grant of the team may outlast the membership. */
function goldLeft({ gold_until, cancelled_at, next_billing_date }: Member, now: Date): string {
  if (typeof gold_until === "number") return "Gold sigue activo, sin fecha de fin.";
  if (gold_until && gold_until > now) return `Gold sigue activo hasta el ${formatDay(gold_until)}.`;
  return `Gold terminó el ${formatDay(cancelled_at ?? next_billing_date ?? now)}. Tu cuenta y tus respuestas siguen igual.`;
}

type Kind = "membership_receipt" | "membership_cancelled" | "payment_mismatch" | "gold_granted" | "gold_ended";
export const membershipMails: Composers<Kind> = {
  async membership_receipt(context, job) {
    const member = await membershipToMail(context.db, job.subscription_id);
    const payments = await paymentsOfMembership(context.db, job.subscription_id);
    const payment = payments.find(({ id }) => id === job.payment_id);
    if (!member || !payment) return null;
    const isFirst = !payments.some((each) => wasReceived(each) && each.paid_at < payment.paid_at);
    const paragraphs = receiptParagraphs(member, payment, isFirst, context.now());
    return letter(context, member, {
      subject: `Recibo de tu Membresía Gold en ${PRODUCT_NAME}`,
      paragraphs,
      action: MEMBERSHIP,
    });
  },

  /** Confirms a cancellation. The subject is neutral: others may see it on a locked screen. */
  async membership_cancelled(context, job) {
    const cancelled = await membershipToMail(context.db, job.subscription_id);
    // Replaced, refunded or ended by the team before the mail was sent: other mails say that.
    if (!cancelled || !["person", "provider", null].includes(cancelled.ended_by)) return null;
    const paragraphs = [
      `Tu plan Mensual de ${PRODUCT_NAME} quedó cancelado. ${goldLeft(cancelled, context.now())}`,
      cancelled.provider === "test"
        ? "Era del modo de prueba: no se ha cobrado ni se cobrará dinero."
        : `No se te cobrará nada más. Si aun así ves un cobro nuevo de ${PROVIDER_NAMES[cancelled.provider]}, escríbenos desde Contacto y lo devolvemos.`,
      "Si quieres volver a Gold, elige un plan desde tu cuenta cuando quieras.",
    ];
    return letter(context, cancelled, { subject: "Hay novedades en tu membresía", paragraphs, action: PLANS });
  },

  /** A subscription that is not what was offered is ended at its provider. Only what was paid as offered gives Gold. */
  async payment_mismatch(context, job) {
    const payer = await membershipToMail(context.db, job.subscription_id);
    if (!payer) return null;
    const name = PROVIDER_NAMES[payer.provider];
    const isPaid = payer.status === "active";
    const date = payer.next_billing_date;
    const paragraphs = [
      `La suscripción que se hizo con ${name} ${isPaid ? "ya no" : "no"} coincide con el plan que elegiste en ${PRODUCT_NAME}: el plan, el importe o la cuenta son otros. Por eso ${isPaid ? "no se renueva" : "no vale para Gold"}.`,
      isPaid && (date ? `Lo que ya pagaste vale hasta el ${formatDay(date)}.` : "Lo que ya pagaste sigue valiendo."),
      `Le hemos pedido a ${name} que la termine para que no vuelva a cobrarte. Si ya se cobró algo, nuestro equipo lo revisa y lo devuelve por ${name}.`,
      `${isPaid ? "Cuando termine, puedes elegir" : "Si quieres Gold, elige"} el plan otra vez desde tu cuenta. Si crees que es un error, escríbenos desde Contacto.`,
    ];
    return letter(context, payer, {
      subject: `Tu pago con ${name} no coincide con el plan`,
      paragraphs,
      action: PLANS,
    });
  },

  async gold_granted(context, { grant_id, extended }) {
    const grant = await grantToNotify(context.db, grant_id);
    // Ended or extended before the mail was sent: another mail reports that.
    if (!grant || grant.ended_at) return null;
    const current = await currentMembership(context.db, grant.psychologist_id);
    const until = grant.ends_at ? `hasta el ${formatDay(grant.ends_at)}` : "sin fecha de fin";
    const paragraphs = [
      extended
        ? `El equipo de ${PRODUCT_NAME} ha alargado tu Gold: ahora lo tienes ${until}.`
        : `El equipo de ${PRODUCT_NAME} te ha otorgado Gold ${until}.`,
      `Motivo: ${grant.reason}`,
      current && mustCancelAtProvider(current)
        ? `Esto no cuesta nada. Tu plan Mensual sigue como estaba y ${PROVIDER_NAMES[current.provider]} lo sigue cobrando; puedes cancelarlo cuando quieras.`
        : "No cuesta nada y no se renueva.",
    ];
    return letter(context, grant, { subject: `Tienes Gold en ${PRODUCT_NAME}`, paragraphs, action: MEMBERSHIP });
  },

  async gold_ended(context, { psychologist_id, reason, providers }) {
    const person = await profileById(context.db, psychologist_id);
    if (!person) return null;
    const names = LIST.format(providers.map((provider) => PROVIDER_NAMES[provider as Provider]));
    const paragraphs = [
      `El equipo de ${PRODUCT_NAME} ha terminado tu Gold. Tu cuenta sigue igual en todo lo demás.`,
      `Motivo: ${reason}`,
      names !== "" &&
        `También cancelamos tu suscripción en ${names}. Si ves allí un cobro nuevo, escríbenos y lo devolvemos.`,
      "Si crees que nos hemos equivocado, escríbenos. Este buzón no recibe respuestas.",
    ];
    const subject = `Tu Gold en ${PRODUCT_NAME} ha terminado`;
    return letter(context, person, { subject, paragraphs, action: ["Escribir al equipo", "/contacto"] });
  },
};
