import { PRODUCT_NAME } from "#shared/product.ts";
import type { MailContent } from "../mail/layout.tsx";

/** Notifies a psychologist that they may answer. */
export const approvedMail = (person: { full_name: string }, homeUrl: string): MailContent => ({
  subject: `Tu cuenta profesional en ${PRODUCT_NAME} está verificada`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Hemos revisado tu matrícula y tu cuenta ya está verificada. Desde ahora puedes responder consultas: las tres primeras respuestas son gratuitas.",
  ],
  action: { label: "Ver consultas", url: homeUrl },
});

/**
 * Notifies a psychologist that the licence could not be verified, with the administrator's reason if there is one. Replies
 * to the sender's address are not read: the mail says where to correct the data, and where to write.
 */
export const rejectedMail = (
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
