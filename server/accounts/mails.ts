import { PRODUCT_NAME } from "#shared/product.ts";
import type { Context } from "../context.ts";
import { type Composers, letter } from "../mail/composing.ts";
import { hashToken, linkToken, timingSafeEqualBytes } from "../tokens.ts";
import { emailChangeById } from "./email-change/store.ts";
import { reserveMailQuota } from "./mail-quota-store.ts";
import { deleteLink, linkById } from "./mailed-link-store.ts";
import { registrationById } from "./registration/store.ts";
import { profileByEmail, profileById } from "./store.ts";

type FactorChange = "on" | "off" | "codes" | "code_used";

const FACTOR_WORDS: Record<FactorChange, { subject: string; text: string }> = {
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

/** Mail to the owner of an email that a request would give to another account. */
const takenEmail = (context: Context, owner: { full_name: string; email: string }, text: string) =>
  letter(context, owner, {
    subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
    paragraphs: [text],
    action: ["Iniciar sesión", "/auth"],
    footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
  });

export const accountMails: Composers<
  | "confirm_registration"
  | "recover_password"
  | "password_changed"
  | "sign_in_paused"
  | "confirm_email_change"
  | "email_changed"
  | "second_factor_changed"
> = {
  async confirm_registration(context, job) {
    const { db, config, now } = context;
    const waiting = await registrationById(db, job.registration_id, now());
    if (!waiting) return null;
    const owner = await profileByEmail(db, waiting.email);
    const token = linkToken(config.secret, "confirm", waiting.id);
    // An invalidated registration has another token: its link would not work.
    if (!owner && !timingSafeEqualBytes(waiting.token_hash, hashToken(token))) return null;
    const id = job.mail_id ?? waiting.id;
    if (!(await reserveMailQuota(context, { id, kind: "registration", rowId: waiting.id, email: waiting.email })))
      return null;
    if (owner)
      return takenEmail(
        context,
        owner,
        `Alguien ha intentado registrar esta dirección en ${PRODUCT_NAME}, pero ya tienes una cuenta con ella. Si fuiste tú, entra con tu contraseña; si no la recuerdas, ahí mismo puedes pedir una nueva.`,
      );
    // Without a name, because the person who typed the email chose it.
    return letter(context, waiting.email, {
      subject: `Confirma tu correo en ${PRODUCT_NAME}`,
      paragraphs: [
        `Alguien, esperamos que tú, ha registrado esta dirección en ${PRODUCT_NAME}. Para terminar el registro, confírmala:`,
      ],
      action: ["Confirmar mi correo", `/auth/confirmar?token=${token}`],
      footnote:
        "El enlace sirve durante 24 horas. Si no fuiste tú, no hagas nada: sin esta confirmación no existe ninguna cuenta.",
    });
  },

  async recover_password(context, job) {
    const { db, config, now } = context;
    const recovery = await linkById(db, "recover", job.link_id, now());
    if (!recovery) return null;
    const owner = await profileByEmail(db, recovery.email);
    const mail = { id: recovery.id, kind: "recovery", rowId: recovery.id, email: recovery.email } as const;
    if (!owner || !(await reserveMailQuota(context, mail))) {
      await deleteLink(db, recovery.id);
      return null;
    }
    const token = linkToken(config.secret, "recover", recovery.id);
    return letter(context, owner, {
      subject: `Elige una contraseña nueva en ${PRODUCT_NAME}`,
      paragraphs: ["Hemos recibido la solicitud de cambiar tu contraseña. Para elegir una nueva:"],
      action: ["Elegir una contraseña nueva", `/auth/nueva-contrasena?token=${token}`],
      footnote:
        "El enlace sirve una sola vez, durante 60 minutos. Si no lo has pedido, no hagas nada: tu contraseña sigue siendo la misma.",
    });
  },

  async password_changed(context, job) {
    const owner = await profileById(context.db, job.profile_id);
    if (!owner) return null;
    return letter(context, owner, {
      subject: `Tu contraseña de ${PRODUCT_NAME} ha cambiado`,
      paragraphs: [
        "Tu contraseña acaba de cambiar y hemos cerrado la sesión en tus otros dispositivos. Si fuiste tú, no hace falta nada más.",
      ],
      action: ["No fui yo: recuperar mi cuenta", "/auth/recuperar"],
    });
  },

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

  async confirm_email_change(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change || change.confirmed_at) return null;
    const { id: rowId, account_id: accountId, new_email: email } = change;
    if (!(await reserveMailQuota(context, { id: job.mail_id, kind: "email_change", rowId, email, accountId })))
      return null;
    const owner = await profileByEmail(db, change.new_email);
    if (owner)
      return takenEmail(
        context,
        owner,
        `Alguien ha querido usar esta dirección en otra cuenta de ${PRODUCT_NAME}, pero ya es la de la tuya. Si fuiste tú, entra con esta dirección, o cambia antes el correo de esta cuenta.`,
      );
    const token = linkToken(config.secret, "change_email", change.id);
    // Without a name, because the email may be mistyped.
    return letter(context, change.new_email, {
      subject: `Confirma tu nuevo correo en ${PRODUCT_NAME}`,
      paragraphs: [`Alguien, esperamos que tú, quiere usar esta dirección en su cuenta de ${PRODUCT_NAME}.`],
      action: ["Confirmar este correo", `/cuenta/correo?token=${token}`],
      footnote: "El enlace sirve una sola vez, durante 24 horas. Si no fuiste tú, no hagas nada: no cambia nada.",
    });
  },

  async email_changed(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change?.confirmed_at) return null;
    const owner = { full_name: change.full_name, email: change.old_email };
    const token = linkToken(config.secret, "undo_email", change.id);
    return letter(context, owner, {
      subject: `El correo de tu cuenta de ${PRODUCT_NAME} ha cambiado`,
      paragraphs: [
        `Desde ahora tu cuenta usa ${change.new_email} y no te escribiremos más a esta dirección. Si fuiste tú, no hace falta nada más.`,
      ],
      action: ["No fui yo: volver a este correo", `/cuenta/correo?token=${token}`],
      footnote:
        "El enlace sirve durante 7 días. Devuelve la cuenta a esta dirección, cierra todas las sesiones y te pide una contraseña nueva.",
    });
  },

  async second_factor_changed(context, job) {
    const owner = await profileById(context.db, job.profile_id);
    if (!owner) return null;
    const { subject, text } = FACTOR_WORDS[job.change];
    return letter(context, owner, {
      subject,
      paragraphs: [text, "Si fuiste tú, no hace falta nada más. Si no, cambia tu contraseña ahora mismo."],
      action: ["Revisar mi cuenta", "/cuenta"],
    });
  },
};
