import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, link, mailTo, mailToAddress } from "../../mail/composing.ts";
import type { MailContent } from "../../mail/layout.tsx";
import { linkToken } from "../../tokens.ts";
import { reserveMailQuota } from "../mail-quota.ts";
import { profileByEmail } from "../store.ts";
import { emailChangeById } from "./store.ts";

/** Asks the owner of the new email to confirm it. Contains no name, because the email may be mistyped. */
const confirmEmailChangeMail = (url: string): MailContent => ({
  subject: `Confirma tu nuevo correo en ${PRODUCT_NAME}`,
  paragraphs: ["Hola:", `Alguien, esperamos que tú, quiere usar esta dirección en su cuenta de ${PRODUCT_NAME}.`],
  action: { label: "Confirmar este correo", url },
  footnote: "El enlace sirve una sola vez, durante 24 horas. Si no fuiste tú, no hagas nada: no cambia nada.",
});

/** Notifies the owner of an email that another account tried to use it. */
const newAddressTakenMail = (person: { full_name: string }, signInUrl: string): MailContent => ({
  subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
  paragraphs: [
    `Hola, ${person.full_name}:`,
    `Alguien ha querido usar esta dirección en otra cuenta de ${PRODUCT_NAME}, pero ya es la de la tuya. Si fuiste tú, entra con esta dirección, o cambia antes el correo de esta cuenta.`,
  ],
  action: { label: "Iniciar sesión", url: signInUrl },
  footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
});

/** Notifies the old email of the change. Contains a link that reverts it. */
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

export const emailChangeMails: Composers<"confirm_email_change" | "email_changed"> = {
  async confirm_email_change(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change || change.confirmed_at) return null;
    const { id: rowId, account_id: accountId, new_email: email } = change;
    if (!(await reserveMailQuota(context, { id: job.mail_id, kind: "email_change", rowId, email, accountId })))
      return null;
    const owner = await profileByEmail(db, change.new_email);
    if (owner) return mailTo(owner, newAddressTakenMail(owner, link(context, "/auth")));
    const token = linkToken(config.secret, "change_email", change.id);
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
