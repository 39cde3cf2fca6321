import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailTo } from "../../mail/composing.ts";
import type { MailContent } from "../../mail/layout.tsx";
import { profileById } from "../store.ts";

type FactorChange = "on" | "off" | "codes" | "code_used";

const WORDS: Record<FactorChange, { subject: string; text: string }> = {
  on: {
    subject: `Has activado la verificación en dos pasos en ${PRODUCT_NAME}`,
    text: "Desde ahora, para entrar en tu cuenta hacen falta la contraseña y un código de tu aplicación. Hemos cerrado la sesión en tus otros dispositivos.",
  },
  off: {
    subject: `La verificación en dos pasos de ${PRODUCT_NAME} se ha desactivado`,
    text: "Desde ahora, para entrar en tu cuenta basta la contraseña.",
  },
  codes: {
    subject: `Tienes códigos de recuperación nuevos en ${PRODUCT_NAME}`,
    text: "Se han generado códigos de recuperación nuevos para tu cuenta; los anteriores ya no sirven.",
  },
  code_used: {
    subject: `Alguien ha entrado en tu cuenta de ${PRODUCT_NAME} con un código de recuperación`,
    text: "Se ha usado uno de tus códigos de recuperación para entrar. Cada uno sirve una sola vez; en Cuenta y seguridad ves cuántos te quedan.",
  },
};

const factorChangedMail = (person: { full_name: string }, change: FactorChange, url: string): MailContent => ({
  subject: WORDS[change].subject,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    WORDS[change].text,
    "Si fuiste tú, no hace falta nada más. Si no, cambia tu contraseña ahora mismo.",
  ],
  action: { label: "Revisar mi cuenta", url },
});

export const secondFactorMails: Composers<"second_factor_changed"> = {
  async second_factor_changed(context, job) {
    const owner = await profileById(context.db, job.profile_id);
    return owner ? mailTo(owner, factorChangedMail(owner, job.change, link(context, "/cuenta"))) : null;
  },
};
