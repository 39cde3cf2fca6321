import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../../mail/composing.ts";
import { hashToken, linkToken, timingSafeEqualBytes } from "../../tokens.ts";
import { reserveMailQuota } from "../mail-quota.ts";
import { profileByEmail } from "../store.ts";
import { registrationById } from "./store.ts";

export const registrationMails: Composers<"confirm_registration"> = {
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
      return letter(context, owner, {
        subject: `Ya tienes una cuenta en ${PRODUCT_NAME}`,
        paragraphs: [
          `Alguien ha intentado registrar esta dirección en ${PRODUCT_NAME}, pero ya tienes una cuenta con ella. Si fuiste tú, entra con tu contraseña; si no la recuerdas, ahí mismo puedes pedir una nueva.`,
        ],
        action: ["Iniciar sesión", "/auth"],
        footnote: "Si no fuiste tú, no hagas nada: nadie ha entrado en tu cuenta.",
      });
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
};
