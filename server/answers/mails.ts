import { unsubscribeLinkOf } from "../accounts/store.ts";
import { type Composers, letter, link } from "../mail/composing.ts";
import { linkToken, newUnsubscribeLink } from "../tokens.ts";
import { claimAnswerMail, releaseAnswerMail } from "./store.ts";

export const answerMails: Composers<"new_answer"> = {
  /**
   * Says only that there is something new, because the mail appears on lock screens and other people may read the
   * mailbox.
   *
   * Contains no name, which may be a pseudonym, no link to the consultation, and no hint at the type of the site.
   */
  async new_answer(context, { consultation_id, mail_id }) {
    const { db, config } = context;
    const owner = await claimAnswerMail(db, consultation_id, mail_id);
    const linkId = owner && (await unsubscribeLinkOf(db, owner.id, newUnsubscribeLink(config.secret)));
    if (!linkId) return null;
    return {
      ...letter(context, owner.email, {
        subject: "Hay novedades en tu cuenta",
        paragraphs: ["Hay novedades en tu cuenta. Entra cuando quieras para verlas."],
        action: ["Ver las novedades", "/perfil"],
        footnote: "No te escribiremos otra vez por esto hasta que las veas.",
        unsubscribe: link(context, `/baja/${linkToken(config.secret, "unsubscribe", linkId)}`),
      }),
      onFailed: () => releaseAnswerMail(db, consultation_id, mail_id),
    };
  },
};
