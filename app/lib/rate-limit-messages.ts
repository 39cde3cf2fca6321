import type { RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import type { MessageText } from "./client-error-messages.ts";

const TOO_MUCH: MessageText = { title: "Demasiados intentos", description: "Has intentado lo mismo demasiadas veces." };
/** Message by action. Limits per IP mention the connection, because other people may share it. */
const TOO_OFTEN: Record<RateLimitedAction, MessageText> = {
  sign_in: {
    title: "Demasiados intentos de entrar",
    description: "Desde tu conexión a internet ha habido demasiados intentos de entrar que han fallado.",
  },
  mail_request: {
    title: "Demasiadas solicitudes",
    description: "Desde tu conexión a internet se han pedido demasiados registros y correos.",
  },
  link: { title: "Demasiados intentos", description: "Este enlace se ha usado demasiadas veces." },
  account: { title: "Demasiados cambios", description: "Has hecho demasiados cambios en tu cuenta." },
  export: { title: "Demasiadas descargas", description: "Has pedido tus datos demasiadas veces." },
  change_email: { title: "Demasiados cambios", description: "Has pedido cambiar tu correo demasiadas veces." },
  ask: { title: "Demasiados intentos", description: "Has intentado publicar una consulta demasiadas veces." },
  answer: { title: "Demasiadas respuestas", description: "Has enviado demasiadas respuestas en poco tiempo." },
  reply: { title: "Demasiados comentarios", description: "Has enviado demasiados comentarios en poco tiempo." },
  correct: { title: "Demasiados cambios", description: "Has corregido o borrado textos demasiadas veces." },
  review: { title: "Demasiadas reseñas", description: "Has enviado demasiadas reseñas en poco tiempo." },
  vote: { title: "Demasiados votos", description: "Has votado demasiadas veces en poco tiempo." },
  upload: { title: "Demasiadas fotos", description: "Has subido demasiadas fotos en poco tiempo." },
  profile: { title: "Demasiados cambios", description: "Has guardado tu perfil demasiadas veces." },
  contact: { title: "Demasiados mensajes", description: "Se han enviado demasiados mensajes desde aquí." },
  checkout: { title: "Demasiados intentos", description: "Has empezado demasiados pagos en poco tiempo." },
  cancellation: { title: "Demasiados intentos", description: "Has pedido cancelar demasiadas veces." },
  reconciliation: { title: "Demasiadas solicitudes", description: "Has preguntado por este pago demasiadas veces." },
  moderation: { title: "Demasiadas decisiones", description: "Has tomado demasiadas decisiones en poco tiempo." },
  session: TOO_MUCH,
  event: TOO_MUCH,
  webhook: TOO_MUCH,
  profile_view: TOO_MUCH,
};

export const rateLimitMessage = (action: string | undefined): MessageText =>
  TOO_OFTEN[action as RateLimitedAction] ?? TOO_MUCH;
