import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../mail/composing.ts";
import { deleteDeletedAccountEmail, deletedAccountEmailById } from "./store.ts";

export const ownDataMails: Composers<"account_deleted"> = {
  /** Last mail of a deleted account. Contains no name, because the name was deleted too. */
  async account_deleted(context, { deleted_account_email_id }) {
    const farewell = await deletedAccountEmailById(context.db, deleted_account_email_id);
    if (!farewell) return null;
    return {
      ...letter(context, farewell.email, {
        subject: `Tu cuenta de ${PRODUCT_NAME} se ha eliminado`,
        paragraphs: [
          "Tu cuenta se ha eliminado, con tus datos y lo que publicaste con tu nombre. Esta dirección ya no está en nuestra base: este es el último mensaje.",
          "Si fuiste tú, no hace falta nada más. Puedes volver a registrarte cuando quieras.",
        ],
        action: ["No fui yo: escribir al equipo", "/contacto"],
      }),
      onSent: () => deleteDeletedAccountEmail(context.db, deleted_account_email_id),
    };
  },
};
