import { PROVIDER_NAMES, type Provider } from "#shared/plans.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { formatDay } from "#shared/time.ts";
import { profileById } from "../../accounts/store.ts";
import { type Composers, link, mailTo } from "../../mail/composing.ts";
import type { MailContent } from "../../mail/layout.tsx";
import { mustCancelAtProvider } from "../rules.ts";
import { currentMembership } from "../store.ts";
import { grantToNotify } from "./store.ts";

const LIST = new Intl.ListFormat("es", { type: "conjunction" });

/**
 * Notifies a psychologist that the team has granted Gold, and until when.
 * @param renewing the provider that continues to charge a monthly plan
 */
const grantedMail = (
  { full_name, ends_at, reason }: { full_name: string; ends_at: Date | null; reason: string },
  { extended, renewing, plansUrl }: { extended: boolean; renewing: string | null; plansUrl: string },
): MailContent => {
  const until = ends_at ? `hasta el ${formatDay(ends_at)}` : "sin fecha de fin";
  return {
    subject: `Tienes Gold en ${PRODUCT_NAME}`,
    paragraphs: [
      `Hola, ${full_name}:`,
      extended
        ? `El equipo de ${PRODUCT_NAME} ha alargado tu Gold: ahora lo tienes ${until}.`
        : `El equipo de ${PRODUCT_NAME} te ha otorgado Gold ${until}.`,
      `Motivo: ${reason}`,
      renewing
        ? `Esto no cuesta nada. Tu plan Mensual sigue como estaba y ${renewing} lo sigue cobrando; puedes cancelarlo cuando quieras.`
        : "No cuesta nada y no se renueva.",
    ],
    action: { label: "Ver mi membresía", url: plansUrl },
  };
};

/** Notifies a psychologist that the team has ended Gold. @param providers where memberships are cancelled because of it */
const endedMail = (
  { full_name }: { full_name: string },
  { reason, providers, contactUrl }: { reason: string; providers: string[]; contactUrl: string },
): MailContent => ({
  subject: `Tu Gold en ${PRODUCT_NAME} ha terminado`,
  paragraphs: [
    `Hola, ${full_name}:`,
    `El equipo de ${PRODUCT_NAME} ha terminado tu Gold. Tu cuenta sigue igual en todo lo demás.`,
    `Motivo: ${reason}`,
    ...(providers.length
      ? [
          `También cancelamos tu suscripción en ${LIST.format(providers)}. Si ves allí un cobro nuevo, escríbenos y lo devolvemos.`,
        ]
      : []),
    "Si crees que nos hemos equivocado, escríbenos. Este buzón no recibe respuestas.",
  ],
  action: { label: "Escribir al equipo", url: contactUrl },
});

export const grantMails: Composers<"gold_granted" | "gold_ended"> = {
  async gold_granted(context, { grant_id, extended }) {
    const grant = await grantToNotify(context.db, grant_id);
    // Ended or extended before the mail was sent: another mail reports that.
    if (!grant || grant.ended_at) return null;
    const current = await currentMembership(context.db, grant.psychologist_id);
    const renewing = current && mustCancelAtProvider(current) ? PROVIDER_NAMES[current.provider] : null;
    return mailTo(grant, grantedMail(grant, { extended, renewing, plansUrl: link(context, "/planes") }));
  },

  async gold_ended(context, { psychologist_id, reason, providers }) {
    const person = await profileById(context.db, psychologist_id);
    if (!person) return null;
    const names = providers.map((provider) => PROVIDER_NAMES[provider as Provider]);
    return mailTo(person, endedMail(person, { reason, providers: names, contactUrl: link(context, "/contacto") }));
  },
};
