import { unsubscribeLinkOf } from "../accounts/mail-choices/store.ts";
import { type Composers, link, mailToAddress } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { linkToken, newUnsubscribeLink } from "../tokens.ts";
import { answerMailbox, claimAnswerMail, releaseAnswerMail } from "./store.ts";

/**
 * Says that there is something new, and nothing else: it appears on lock screens and in mailboxes that others read. It has
 * no name, which may be a pseudonym, no link to the consultation, and nothing about what kind of site this is.
 */
const answerCameMail = (ownPagesUrl: string, unsubscribeUrl: string): MailContent => ({
  subject: "Hay novedades en tu cuenta",
  paragraphs: ["Hola:", "Hay novedades en tu cuenta. Entra cuando quieras para verlas."],
  action: { label: "Ver las novedades", url: ownPagesUrl },
  footnote: "No te escribiremos otra vez por esto hasta que las veas.",
  unsubscribe: unsubscribeUrl,
});

export const answerMails: Composers<"answer_came"> = {
  async answer_came(context, { consultation_id, mail_id }) {
    const { db, config } = context;
    if (!(await claimAnswerMail(db, consultation_id, mail_id))) return null;
    const release = () => releaseAnswerMail(db, consultation_id, mail_id);
    const owner = await answerMailbox(db, consultation_id, mail_id);
    const linkId = owner && (await unsubscribeLinkOf(db, owner.id, newUnsubscribeLink(config.secret)));
    if (!linkId) {
      await release();
      return null;
    }
    const unsubscribe = link(context, `/baja/${linkToken(config.secret, "unsubscribe", linkId)}`);
    return {
      ...mailToAddress(owner.email, answerCameMail(link(context, "/perfil"), unsubscribe)),
      // A user who unsubscribed a moment ago gets none.
      isWanted: async () => (await answerMailbox(db, consultation_id, mail_id)) !== undefined,
      failed: release,
    };
  },
};
