import { unsubscribeLinkOf } from "../accounts/mail-preferences/store.ts";
import { type Composers, link, mailToAddress } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { linkToken, newUnsubscribeLink } from "../tokens.ts";
import { answerMailbox, claimAnswerMail, releaseAnswerMail } from "./store.ts";

/**
 * Says only that there is something new, because the mail appears on lock screens and other people may read the mailbox.
 *
 * Contains no name, which may be a pseudonym, no link to the consultation, and no hint at the type of the site.
 */
const newAnswerMail = (ownPagesUrl: string, unsubscribeUrl: string): MailContent => ({
  subject: "Hay novedades en tu cuenta",
  paragraphs: ["Hola:", "Hay novedades en tu cuenta. Entra cuando quieras para verlas."],
  action: { label: "Ver las novedades", url: ownPagesUrl },
  footnote: "No te escribiremos otra vez por esto hasta que las veas.",
  unsubscribe: unsubscribeUrl,
});

export const answerMails: Composers<"new_answer"> = {
  async new_answer(context, { consultation_id, mail_id }) {
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
      ...mailToAddress(owner.email, newAnswerMail(link(context, "/perfil"), unsubscribe)),
      // The user may have unsubscribed while the mail was queued.
      shouldSend: async () => (await answerMailbox(db, consultation_id, mail_id)) !== undefined,
      onFailed: release,
    };
  },
};
