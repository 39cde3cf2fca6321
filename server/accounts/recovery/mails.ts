import { PRODUCT_NAME } from "#shared/product.ts";
import { type Composers, letter } from "../../mail/composing.ts";
import { linkToken } from "../../tokens.ts";
import { reserveMailQuota } from "../mail-quota.ts";
import { deleteLink, linkById } from "../mailed-link-store.ts";
import { profileByEmail, profileById } from "../store.ts";

export const recoveryMails: Composers<"recover_password" | "password_changed"> = {
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
};
