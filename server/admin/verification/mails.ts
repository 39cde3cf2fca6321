import { PRODUCT_NAME } from "#shared/product.ts";
import type { Context } from "../../context.ts";
import { type Composers, letter, link } from "../../mail/composing.ts";
import { isCurrentDecision, verificationAfter } from "./rules.ts";
import { verifiedPerson } from "./store.ts";

type MailedDecision = "psychologist_approved" | "psychologist_rejected";

/**
 * Returns the psychologist of a decision.
 * @returns null if a later decision was made, the checked data changed or the account was deleted
 */
async function decisionTarget(
  { db }: Context,
  { kind, psychologist_id, decided_at }: { kind: MailedDecision; psychologist_id: string; decided_at: string },
) {
  const person = await verifiedPerson(db, psychologist_id);
  return person && isCurrentDecision(verificationAfter(kind, new Date(decided_at)), person) ? person : null;
}

export const verificationMails: Composers<MailedDecision> = {
  async psychologist_approved(context, job) {
    const owner = await decisionTarget(context, job);
    if (!owner) return null;
    return letter(context, owner, {
      subject: `Tu cuenta profesional en ${PRODUCT_NAME} está verificada`,
      paragraphs: [
        "Hemos revisado tu matrícula y tu cuenta ya está verificada.",
        // An account that was verified before may have used its free answers.
        owner.free_responses_used === 0 &&
          "Desde ahora puedes responder consultas: las tres primeras respuestas son gratuitas.",
      ],
      action: ["Ver consultas", "/"],
    });
  },

  /** Replies to the sender are not read, so it says where to correct the data and where to write. */
  async psychologist_rejected(context, job) {
    const owner = await decisionTarget(context, job);
    if (!owner) return null;
    return letter(context, owner, {
      subject: `No hemos podido verificar tu matrícula en ${PRODUCT_NAME}`,
      paragraphs: [
        "Hemos revisado los datos de tu registro y por ahora no hemos podido verificar tu matrícula.",
        job.reason ? `Motivo: ${job.reason}` : false,
        `Tu cuenta queda pendiente. Si un dato está mal, corrígelo en Mi Perfil (${link(context, "/perfil")}): cuando guardes, volveremos a revisarlo.`,
        "Si crees que nos hemos equivocado o quieres enviarnos algo, escríbenos. Este buzón no recibe respuestas.",
      ],
      action: ["Escribir al equipo", "/contacto"],
    });
  },
};
