import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../../mail/composing.ts";
import { linkToken } from "../../tokens.ts";
import { linkById } from "../mailed-link-store.ts";
import { profileByEmail } from "../store.ts";

export const signInMails: Composers<"sign_in_paused"> = {
  async sign_in_paused(context, job) {
    const { db, config, now } = context;
    const deviceLink = await linkById(db, "known_device", job.link_id, now());
    const owner = deviceLink && (await profileByEmail(db, deviceLink.email));
    if (!owner) return null;
    const token = linkToken(config.secret, "known_device", deviceLink.id);
    return letter(context, owner, {
      subject: `Muchos intentos de entrar en tu cuenta de ${PRODUCT_NAME}`,
      paragraphs: [
        "Desde navegadores que tu cuenta no conoce se ha intentado entrar demasiadas veces. Por eso, durante un rato, desde ellos no se puede. Donde ya has entrado alguna vez puedes entrar como siempre.",
        "Si eres tú y quieres entrar desde un navegador nuevo, abre este enlace en él:",
      ],
      action: ["Entrar desde este navegador", `/auth/navegador?token=${token}`],
      footnote:
        "El enlace sirve una sola vez, durante 24 horas, y por sí solo no deja entrar a nadie: tu contraseña hace falta igual. Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta. Te lo decimos como máximo una vez al día.",
    });
  },
};
