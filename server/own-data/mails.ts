import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailToAddress } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { deleteDeletedAccountEmail, deletedAccountEmailById } from "./store.ts";

/** Last mail of a deleted account. Contains no name, because the name was deleted too. */
const accountDeletedMail = (contactUrl: string): MailContent => ({
  subject: `Tu cuenta de ${PRODUCT_NAME} se ha eliminado`,
  paragraphs: [
    "Hola:",
    "Tu cuenta se ha eliminado, con tus datos y lo que publicaste con tu nombre. Esta dirección ya no está en nuestra base: este es el último mensaje.",
    "Si fuiste tú, no hace falta nada más. Puedes volver a registrarte cuando quieras.",
  ],
  action: { label: "No fui yo: escribir al equipo", url: contactUrl },
});

export const ownDataMails: Composers<"account_deleted"> = {
  async account_deleted(context, { deleted_account_email_id }) {
    const farewell = await deletedAccountEmailById(context.db, deleted_account_email_id);
    if (!farewell) return null;
    return {
      ...mailToAddress(farewell.email, accountDeletedMail(link(context, "/contacto"))),
      onSent: () => deleteDeletedAccountEmail(context.db, deleted_account_email_id),
    };
  },
};
