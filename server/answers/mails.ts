import type { MailContent } from "../mail/layout.tsx";

/**
 * Says that there is news, and nothing else: it appears on lock screens and in mailboxes that others read. No name, which
 * may be a pseudonym; no link to the consultation; nothing about what kind of site this is.
 */
export const answerCameMail = (ownPagesUrl: string, unsubscribeUrl: string): MailContent => ({
  subject: "Hay novedades en tu cuenta",
  paragraphs: ["Hola:", "Hay novedades en tu cuenta. Entra cuando quieras para verlas."],
  action: { label: "Ver las novedades", url: ownPagesUrl },
  footnote: "No te escribiremos otra vez por esto hasta que las veas.",
  unsubscribe: unsubscribeUrl,
});
