import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailTo, mailToAddress } from "../mail/composing.ts";
import type { MailContent } from "../mail/layout.tsx";
import { hashToken, linkToken, sameBytes } from "../tokens.ts";
import { allowMail } from "./allowance.ts";
import {
  deleteRecovery,
  deviceLinkById,
  emailChangeById,
  profileByEmail,
  profileById,
  recoveryById,
  registrationById,
} from "./store.ts";

/** Asks to confirm a registration. It has no name in the greeting: the name was chosen by who typed the address. */
const confirmRegistrationMail = (url: string): MailContent => ({
  subject: `Confirma tu correo en ${PRODUCT_NAME}`,
  paragraphs: [
    "Hola:",
    `Alguien, esperamos que tú, ha registrado esta dirección en ${PRODUCT_NAME}. Para terminar el registro, confírmala:`,
  ],
  action: { label: "Confirmar mi correo", url },
  footnote:
    "El enlace sirve durante 24 horas. Si no fuiste tú, no hagas nada: sin esta confirmación no existe ninguna cuenta.",
});

/** Notifies the owner of an address that it has an account already. */
const addressTakenMail = (person: { full_name: string }, signInUrl: string): MailContent => ({
  subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Alguien ha intentado registrar esta dirección en ${PRODUCT_NAME}, pero ya tienes una cuenta con ella. Si fuiste tú, entra con tu contraseña; si no la recuerdas, ahí mismo puedes pedir una nueva.`,
  ],
  action: { label: "Iniciar sesión", url: signInUrl },
  footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
});

/** Has the link to the page where a new password is chosen. */
const recoverPasswordMail = (person: { full_name: string }, url: string): MailContent => ({
  subject: `Elige una contraseña nueva en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Hemos recibido la solicitud de cambiar tu contraseña. Para elegir una nueva:",
  ],
  action: { label: "Elegir una contraseña nueva", url },
  footnote:
    "El enlace sirve una sola vez, durante 60 minutos. Si no lo has pedido, no hagas nada: tu contraseña sigue siendo la misma.",
});

/** Says that sign-in is paused for unknown devices, and lets the owner make a browser known. */
const signInPausedMail = (person: { full_name: string }, url: string): MailContent => ({
  subject: `Muchos intentos de entrar en tu cuenta de ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Desde navegadores que tu cuenta no conoce se ha intentado entrar demasiadas veces. Por eso, durante un rato, desde ellos no se puede. Donde ya has entrado alguna vez puedes entrar como siempre.",
    "Si eres tú y quieres entrar desde un navegador nuevo, abre este enlace en él:",
  ],
  action: { label: "Entrar desde este navegador", url },
  footnote:
    "El enlace sirve una sola vez, durante 24 horas, y por sí solo no deja entrar a nadie: tu contraseña hace falta igual. Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta. Te lo decimos como máximo una vez al día.",
});

/** Notifies that the password was changed. */
const passwordChangedMail = (person: { full_name: string }, recoveryUrl: string): MailContent => ({
  subject: `Tu contraseña de ${PRODUCT_NAME} ha cambiado`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    "Tu contraseña acaba de cambiar y hemos cerrado la sesión en tus otros dispositivos. Si fuiste tú, no hace falta nada más.",
  ],
  action: { label: "No fui yo: recuperar mi cuenta", url: recoveryUrl },
});

/** Asks the owner of the new address to confirm it. It has no name in it: the address may have been mistyped. */
const confirmEmailChangeMail = (url: string): MailContent => ({
  subject: `Confirma tu nuevo correo en ${PRODUCT_NAME}`,
  paragraphs: ["Hola:", `Alguien, esperamos que tú, quiere usar esta dirección en su cuenta de ${PRODUCT_NAME}.`],
  action: { label: "Confirmar este correo", url },
  footnote: "El enlace sirve una sola vez, durante 24 horas. Si no fuiste tú, no hagas nada: no cambia nada.",
});

/** Notifies the owner of an address that another account tried to use it. */
const newAddressTakenMail = (person: { full_name: string }, signInUrl: string): MailContent => ({
  subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Alguien ha querido usar esta dirección en otra cuenta de ${PRODUCT_NAME}, pero ya es la de la tuya. Si fuiste tú, entra con esta dirección, o cambia antes el correo de esta cuenta.`,
  ],
  action: { label: "Iniciar sesión", url: signInUrl },
  footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
});

/** Notifies the old address of the change, with a link that reverts it. */
const emailChangedMail = (person: { full_name: string; new_email: string }, undoUrl: string): MailContent => ({
  subject: `El correo de tu cuenta de ${PRODUCT_NAME} ha cambiado`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Desde ahora tu cuenta usa ${person.new_email} y no te escribiremos más a esta dirección. Si fuiste tú, no hace falta nada más.`,
  ],
  action: { label: "No fui yo: volver a este correo", url: undoUrl },
  footnote:
    "El enlace sirve durante 7 días. Devuelve la cuenta a esta dirección, cierra todas las sesiones y te pide una contraseña nueva.",
});

export const accountMails: Composers<
  | "confirm_registration"
  | "recover_password"
  | "sign_in_paused"
  | "password_changed"
  | "confirm_email_change"
  | "email_changed"
> = {
  async confirm_registration(context, job) {
    const { db, config, now } = context;
    const waiting = await registrationById(db, job.registration_id, now());
    if (!waiting) return null;
    const owner = await profileByEmail(db, waiting.email);
    const token = linkToken(config.secret, "confirm", waiting.id);
    // An invalidated registration has another token: its link would not work.
    if (!owner && !sameBytes(waiting.token_hash, hashToken(token))) return null;
    const id = job.mail_id ?? waiting.id;
    if (!(await allowMail(context, { id, kind: "registration", rowId: waiting.id, email: waiting.email }))) return null;
    if (owner) return mailTo(owner, addressTakenMail(owner, link(context, "/auth")));
    return mailToAddress(waiting.email, confirmRegistrationMail(link(context, `/auth/confirmar?token=${token}`)));
  },

  async recover_password(context, job) {
    const { db, config, now } = context;
    const wish = await recoveryById(db, job.recovery_id, now());
    if (!wish) return null;
    const owner = await profileByEmail(db, wish.email);
    const mail = { id: wish.id, kind: "recovery", rowId: wish.id, email: wish.email } as const;
    if (!owner || !(await allowMail(context, mail))) {
      await deleteRecovery(db, wish.id);
      return null;
    }
    const token = linkToken(config.secret, "recover", wish.id);
    return mailTo(owner, recoverPasswordMail(owner, link(context, `/auth/nueva-contrasena?token=${token}`)));
  },

  async sign_in_paused(context, job) {
    const { db, config, now } = context;
    const wish = await deviceLinkById(db, job.link_id, now());
    const owner = wish && (await profileByEmail(db, wish.email));
    if (!owner) return null;
    const token = linkToken(config.secret, "known_device", wish.id);
    return mailTo(owner, signInPausedMail(owner, link(context, `/auth/navegador?token=${token}`)));
  },

  async password_changed(context, job) {
    const owner = await profileById(context.db, job.profile_id);
    return owner ? mailTo(owner, passwordChangedMail(owner, link(context, "/auth/recuperar"))) : null;
  },

  async confirm_email_change(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change || change.confirmed_at) return null;
    const id = job.mail_id ?? change.id;
    const { account_id: accountId, new_email } = change;
    if (!(await allowMail(context, { id, kind: "email_change", rowId: change.id, email: new_email, accountId })))
      return null;
    const owner = await profileByEmail(db, change.new_email);
    if (owner) return mailTo(owner, newAddressTakenMail(owner, link(context, "/auth")));
    const token = linkToken(config.secret, "change_email", change.id);
    // Without the account's name: the mailbox may not be the user's until its link is used.
    return mailToAddress(change.new_email, confirmEmailChangeMail(link(context, `/cuenta/correo?token=${token}`)));
  },

  async email_changed(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change?.confirmed_at) return null;
    const token = linkToken(config.secret, "undo_email", change.id);
    const content = emailChangedMail(change, link(context, `/cuenta/correo?token=${token}`));
    return mailTo({ full_name: change.full_name, email: change.old_email }, content);
  },
};
