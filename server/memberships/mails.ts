import { amountWords, type Currency, PLAN_NAMES, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailTo } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { receiptData } from "./settlement/store.ts";

type Receipt = {
  full_name: string;
  provider: string;
  plan_type: string;
  amount: number;
  currency: string;
  next_billing_date: Date | null;
  provider_state: string;
  paid_at: Date;
  external_payment_id: string;
  is_first: boolean;
};

const day = (date: Date) => new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" }).format(date);

function whatFollows({ plan_type, next_billing_date, provider_state }: Receipt): string {
  if (plan_type === "lifetime" || !next_billing_date) return "Es un solo pago: la membresía no vence.";
  if (provider_state === "cancelled" || provider_state === "expired")
    return `Gold termina el ${day(next_billing_date)}: no habrá otro cobro.`;
  return `Próximo pago: ${day(next_billing_date)}. Puedes cancelar cuando quieras; Gold termina en ese momento.`;
}

/** The receipt of one payment: the first of a membership, or a renewal. */
const receiptMail = (receipt: Receipt, plansUrl: string): MailContent => ({
  subject: `Recibo de tu Membresía Gold en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${receipt.full_name}:`,
    receipt.is_first
      ? "Tu membresía Gold ha sido activada exitosamente. Desde ahora tus respuestas son ilimitadas."
      : "Tu membresía Gold se ha renovado.",
    ...(receipt.provider === "test" ? ["Este recibo es del modo de prueba: no se ha cobrado dinero."] : []),
    `Plan: ${PLAN_NAMES[receipt.plan_type as PlanType]}`,
    `Importe: ${amountWords(receipt.amount, receipt.currency as Currency)} ${receipt.currency}`,
    `Fecha: ${day(receipt.paid_at)}`,
    `Número de pago: ${receipt.external_payment_id}`,
    whatFollows(receipt),
  ],
  action: { label: "Ver mi membresía", url: plansUrl },
});

export const membershipMails: Composers<"membership_receipt"> = {
  async membership_receipt(context, job) {
    const facts = await receiptData(context.db, job.payment_id);
    return facts ? mailTo(facts, receiptMail(facts, link(context, "/planes"))) : null;
  },
};
