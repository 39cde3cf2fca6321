import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../../mail/composing.ts";
import { linkToken } from "../../tokens.ts";
import { reserveMailQuota } from "../mail-quota.ts";
import { profileByEmail } from "../store.ts";
import { emailChangeById } from "./store.ts";

export const emailChangeMails: Composers<"confirm_email_change" | "email_changed"> = {
  async confirm_email_change(context, job) {
    const { db, config, now } = context;
    const change = await emailChangeById(db, job.change_id, now());
    if (!change || change.confirmed_at) return null;
    const { id: rowId, account_id: accountId, new_email: email } = change;
    if (!(await reserveMailQuota(context, { id: job.mail_id, kind: "email_change", rowId, email, accountId })))
      return null;
    const owner = await profileByEmail(db, change.new_email);
    if (owner)
      return letter(context, owner, {
        subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
        paragraphs: [
          `Alguien ha querido usar esta dirección en otra cuenta de ${PRODUCT_NAME}, pero ya es la de la tuya. Si fuiste tú, entra con esta dirección, o cambia antes el correo de esta cuenta.`,
        ],
        action: ["Iniciar sesión", "/auth"],
        footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
      });
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
};
