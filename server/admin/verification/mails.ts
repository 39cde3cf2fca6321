import { PRODUCT_NAME } from "#shared/product.ts";
import { profileById } from "../../accounts/store.ts";
import type { Context } from "../../context.ts";
import { type Composers, link, mailTo } from "../../mail/composing.ts";
import type { MailContent } from "../../mail/layout.tsx";
import { isCurrentDecision, verificationAfter } from "./rules.ts";
import { verificationOf } from "./store.ts";

/** Notifies a psychologist that they may answer. */
const approvedMail = (person: { full_name: string }, homeUrl: string): MailContent => ({
  subject: `Tu cuenta profesional en ${PRODUCT_NAME} está verificada`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Hemos revisado tu matrícula y tu cuenta ya está verificada. Desde ahora puedes responder consultas: las tres primeras respuestas son gratuitas.",
  ],
  action: { label: "Ver consultas", url: homeUrl },
});

/**
 * Notifies a psychologist that the licence could not be verified, with the administrator's reason if there is one.
 *
 * Replies to the sender are not read, so the mail says where to correct the data and where to write.
 */
const rejectedMail = (
  person: { full_name: string },
  reason: string | null,
  { profileUrl, contactUrl }: { profileUrl: string; contactUrl: string },
): MailContent => ({
  subject: `No hemos podido verificar tu matrícula en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Hemos revisado los datos de tu registro y por ahora no hemos podido verificar tu matrícula.",
    ...(reason ? [`Motivo: ${reason}`] : []),
    `Tu cuenta sigue pendiente. Si un dato está mal, corrígelo en Mi Perfil (${profileUrl}): cuando guardes, volveremos a revisarlo.`,
    "Si crees que nos hemos equivocado o quieres enviarnos algo, escríbenos. Este buzón no recibe respuestas.",
  ],
  action: { label: "Escribir al equipo", url: contactUrl },
});

type MailedDecision = "psychologist_approved" | "psychologist_rejected";

/**
 * Returns the psychologist of a decision.
 * @returns null if a later decision was made, the checked data changed or the account was deleted
 */
async function decisionTarget(
  { db }: Context,
  { kind, psychologist_id, decided_at }: { kind: MailedDecision; psychologist_id: string; decided_at: string },
) {
  const row = await verificationOf(db, psychologist_id);
  if (!row || !isCurrentDecision(verificationAfter(kind, new Date(decided_at))!, row)) return null;
  return (await profileById(db, psychologist_id)) ?? null;
}

export const verificationMails: Composers<MailedDecision> = {
  async psychologist_approved(context, job) {
    const owner = await decisionTarget(context, job);
    return owner && mailTo(owner, approvedMail(owner, link(context, "/")));
  },

  async psychologist_rejected(context, job) {
    const owner = await decisionTarget(context, job);
    const links = { profileUrl: link(context, "/perfil"), contactUrl: link(context, "/contacto") };
    return owner && mailTo(owner, rejectedMail(owner, job.reason, links));
  },
};
