import { amountWords, type Currency, PLAN_NAMES, type PlanType } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { MailContent } from "../notifications/mail-layout.tsx";

type Receipt = {
  full_name: string;
  provider: string;
  plan_type: string;
  amount: number;
  currency: string;
  next_billing_date: Date | null;
  created_at: Date;
  external_payment_id: string | null;
};

const day = (date: Date) => new Intl.DateTimeFormat("es", { dateStyle: "long", timeZone: "UTC" }).format(date);

/** The receipt of a membership. */
export const receiptMail = (receipt: Receipt, plansUrl: string): MailContent => ({
  subject: `Recibo de tu Membresía Gold en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${receipt.full_name}:`,
    "Tu membresía Gold ha sido activada exitosamente. Desde ahora tus respuestas son ilimitadas.",
    ...(receipt.provider === "test" ? ["Este recibo es del modo de prueba: no se cobró dinero."] : []),
    `Plan: ${PLAN_NAMES[receipt.plan_type as PlanType]}`,
    `Importe: ${amountWords(receipt.amount, receipt.currency as Currency)} ${receipt.currency}`,
    `Fecha: ${day(receipt.created_at)}`,
    ...(receipt.external_payment_id ? [`Número de pago: ${receipt.external_payment_id}`] : []),
    receipt.next_billing_date
      ? `Próximo pago: ${day(receipt.next_billing_date)}. Puedes cancelar cuando quieras; Gold termina en ese momento.`
      : "Es un solo pago: la membresía no vence.",
  ],
  action: { label: "Ver mi membresía", url: plansUrl },
});
