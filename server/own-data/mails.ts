import { PRODUCT_NAME } from "#shared/product.ts";
import type { MailContent } from "../mail/layout.tsx";

/** The last mail: the account was deleted. It has no name in the greeting, since that was deleted too. */
export const accountDeletedMail = (contactUrl: string): MailContent => ({
  subject: `Tu cuenta de ${PRODUCT_NAME} se ha eliminado`,
  paragraphs: [
    "Hola:",
    "Tu cuenta se ha eliminado, con tus datos y lo que publicaste con tu nombre. Esta dirección ya no está en nuestra base: este es el último mensaje.",
    "Si fuiste tú, no hace falta nada más. Puedes volver a registrarte cuando quieras.",
  ],
  action: { label: "No fui yo: escribir al equipo", url: contactUrl },
});
