import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../../mail/composing.ts";
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

export const secondFactorMails: Composers<"second_factor_changed"> = {
  async second_factor_changed(context, job) {
    const owner = await profileById(context.db, job.profile_id);
    if (!owner) return null;
    const { subject, text } = WORDS[job.change];
    return letter(context, owner, {
      subject,
      paragraphs: [text, "Si fuiste tú, no hace falta nada más. Si no, cambia tu contraseña ahora mismo."],
      action: ["Revisar mi cuenta", "/cuenta"],
    });
  },
};
