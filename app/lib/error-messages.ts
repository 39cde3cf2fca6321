import type { RateLimitedAction } from "#server/limits/rate-limit-rules.ts";
import type { ErrorCode, ErrorDetails } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { CLIENT_ERROR_MESSAGES, type MessageText, RETRY_TIME_PLACEHOLDER, say } from "./client-error-messages.ts";
import { pluralize } from "./format.ts";

function wait(seconds: number): string {
  if (seconds < 60) return pluralize(seconds, "segundo", "segundos");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? pluralize(minutes, "minuto", "minutos") : pluralize(Math.ceil(minutes / 60), "hora", "horas");
}

type TextedAction = Exclude<RateLimitedAction, "session" | "event" | "webhook" | "profile_view">;
const TOO_MUCH = say("Demasiados intentos", "Has intentado lo mismo demasiadas veces.");
/** Message by action. Limits per IP mention the connection, because other people may share it. */
const TOO_OFTEN: Record<TextedAction, MessageText> = {
  sign_in: say(
    "Demasiados intentos de entrar",
    "Desde tu conexión a internet ha habido demasiados intentos de entrar que han fallado.",
  ),
  mail_request: say(
    "Demasiadas solicitudes",
    "Desde tu conexión a internet se han pedido demasiados registros y correos.",
  ),
  link: say("Demasiados intentos", "Este enlace se ha usado demasiadas veces."),
  account: say("Demasiados cambios", "Has hecho demasiados cambios en tu cuenta."),
  export: say("Demasiadas descargas", "Has pedido tus datos demasiadas veces."),
  change_email: say("Demasiados cambios", "Has pedido cambiar tu correo demasiadas veces."),
  ask: say("Demasiados intentos", "Has intentado publicar una consulta demasiadas veces."),
  answer: say("Demasiadas respuestas", "Has enviado demasiadas respuestas en poco tiempo."),
  reply: say("Demasiados comentarios", "Has enviado demasiados comentarios en poco tiempo."),
  correct: say("Demasiados cambios", "Has corregido o borrado textos demasiadas veces."),
  review: say("Demasiadas reseñas", "Has enviado demasiadas reseñas en poco tiempo."),
  vote: say("Demasiados votos", "Has votado demasiadas veces en poco tiempo."),
  upload: say("Demasiadas fotos", "Has subido demasiadas fotos en poco tiempo."),
  profile: say("Demasiados cambios", "Has guardado tu perfil demasiadas veces."),
  contact: say("Demasiados mensajes", "Se han enviado demasiados mensajes desde aquí."),
  checkout: say("Demasiados intentos", "Has empezado demasiados pagos en poco tiempo."),
  cancellation: say("Demasiados intentos", "Has pedido cancelar demasiadas veces."),
  reconciliation: say("Demasiadas solicitudes", "Has preguntado por este pago demasiadas veces."),
  moderation: say("Demasiadas decisiones", "Has tomado demasiadas decisiones en poco tiempo."),
};

/** Rate-limited actions that send a text, which stays in its form. */
const WITH_TEXT = new Set<unknown>(["ask", "answer", "reply", "correct", "review", "profile", "contact"]);

/** Spanish messages of all errors (specification, section 8). An error code without a message does not compile. */
const MESSAGES: Record<ErrorCode, MessageText | ((details: ErrorDetails, pause: string) => MessageText)> = {
  ...CLIENT_ERROR_MESSAGES,
  upload_failed: say("Error al subir archivo", "No se pudo subir la imagen. Intenta de nuevo."),
  invalid_input: say("Revisa los datos", "Hay algo que corregir en el formulario. Lo que has escrito sigue ahí."),
  invalid_credentials: say(
    "Revisa lo que has escrito",
    "El correo o la contraseña no son correctos. Mira también las mayúsculas y los espacios.",
  ),
  email_not_confirmed: say(
    "Falta confirmar tu correo",
    "Todavía no has confirmado tu correo. Busca el mensaje que te enviamos o pide que lo enviemos otra vez.",
  ),
  link_expired: say(
    "Este enlace ya no sirve",
    "Los enlaces de los correos sirven una sola vez y por poco tiempo. Pide uno nuevo.",
  ),
  registration_required: say(
    "Faltan tus datos",
    "Has abierto el enlace en otro navegador: revisa tus datos y elige una contraseña.",
  ),
  reauthentication_required: say(
    "Escribe tu contraseña",
    "Para este cambio la pedimos otra vez si han pasado más de 10 minutos desde la última.",
  ),
  second_factor_required: say(
    "Falta un paso",
    "La administración pide la verificación en dos pasos. Actívala en Cuenta y seguridad.",
  ),
  second_factor_expired: say(
    "Vuelve a empezar",
    "Ha pasado demasiado tiempo desde que escribiste tu contraseña, o ya has entrado. Escríbela otra vez.",
  ),
  second_factor_already_enabled: say("Ya está activada", "La verificación en dos pasos ya protege esta cuenta."),
  second_factor_not_set_up: say(
    "Vuelve a empezar",
    "Ha pasado demasiado tiempo o la verificación en dos pasos no está activada. Empieza otra vez.",
  ),
  consent_withdrawn: say(
    "Has retirado un permiso",
    "Sin él no puedes publicar nada nuevo. En Cuenta y seguridad puedes darlo otra vez o eliminar tu cuenta.",
  ),
  sign_in_required: say("Falta iniciar sesión", "Debes iniciar sesión para continuar."),
  sign_in_to_vote: say("Error", "Debes iniciar sesión para votar"),
  sign_in_to_ask: say("Error", "Debes iniciar sesión para crear una consulta"),
  sign_in_to_answer: say("Error", "Debes iniciar sesión para responder"),
  sign_in_to_reply: say("Error", "Debes iniciar sesión para responder"),
  sign_in_to_upload: say("Error", "Debes estar autenticado para subir archivos"),
  sign_in_to_subscribe: say("Error", "Debes iniciar sesión para suscribirse"),
  sign_in_to_see_plans: say("Error", "Debes iniciar sesión para suscribirte"),
  psychologists_only: say(
    "Acceso solo para psicólogos",
    "La membresía Gold es para profesionales que responden consultas.",
  ),
  verification_required: say(
    "Cuenta no verificada",
    "Tu matrícula todavía no está verificada: en tu perfil ves cómo sigue. Nadie paga antes de poder responder.",
  ),
  sign_in_to_review: say("Error", "Debes iniciar sesión para dejar una reseña"),
  cannot_review_self: say("Este perfil es tuyo", "No puedes calificar tu propio perfil."),
  statistics_private: say("Estadísticas privadas", "Solo quien tiene este perfil puede ver sus estadísticas."),
  gold_required: say("Solo con Membresía Gold", "Las estadísticas del perfil son parte de la membresía Gold."),
  psychologists_cannot_ask: say("Error", "Los psicólogos no pueden crear consultas, solo responderlas"),
  psychologists_cannot_reply: say("Error", "Los psicólogos no pueden crear replies, solo respuestas principales"),
  psychologist_required: say("Error", "Solo los psicólogos pueden responder consultas"),
  account_not_verified: say(
    "Cuenta no verificada",
    "Tu cuenta debe ser verificada por el equipo antes de que puedas responder. Te avisaremos por correo cuando esté aprobada.",
  ),
  free_answers_limit_reached: say(
    "Límite alcanzado",
    "Has llegado al límite de respuestas gratuitas. Considera la membresía Gold para responder sin límite.",
  ),
  weekly_limit_reached: ({ days_until_reset = 7 }) =>
    say("Límite semanal alcanzado", `Podrás publicar otra consulta en ${pluralize(days_until_reset, "día", "días")}.`),
  template_limit_reached: say(`Ya tienes ${LIMITS.templates} textos`, "Elimina uno en «Mi Perfil» para guardar otro."),
  reply_limit_reached: (_, pause) =>
    say(
      "Por hoy son muchos comentarios",
      `En una misma respuesta se pueden escribir ${LIMITS.repliesPerDay} comentarios en 24 horas. Espera ${pause} para escribir otro. Lo que has escrito no se pierde.`,
    ),
  cannot_vote_own_answer: say("Esta respuesta es tuya", "No puedes votar tu propia respuesta."),
  admin_only: say("Acceso Denegado", "No tienes permisos para acceder a esta página."),
  cross_origin_request: say(
    "No hemos aceptado la solicitud",
    `No viene de una página de ${PRODUCT_NAME}. Vuelve a cargar la página e inténtalo otra vez.`,
  ),
  consultation_not_found: say(
    "Consulta no encontrada",
    "Puede que la dirección tenga un error o que la consulta ya no exista.",
  ),
  answer_not_found: say("Respuesta no encontrada", "Puede que la respuesta ya no exista."),
  reply_not_found: say("Comentario no encontrado", "Puede que el comentario ya no exista."),
  gone: say(
    "Esto ya no está aquí",
    `Lo ha borrado quien lo escribió, o lo ha retirado el equipo. Si buscabas compañía, en ${PRODUCT_NAME} hay otras consultas que leer.`,
  ),
  psychologist_not_found: say(
    "Psicólogo no encontrado",
    "Puede que la dirección tenga un error o que el perfil ya no exista.",
  ),
  checkout_not_found: say(
    "Pago no encontrado",
    "Puede que la dirección tenga un error o que el pago sea de otra cuenta.",
  ),
  subscription_not_found: say("No se pudo cancelar la suscripción", "No encontramos esa suscripción en tu cuenta."),
  already_subscribed: say("Ya tienes Membresía Gold", "Tu membresía está activa: no hace falta pagar otra vez."),
  payment_confirming: say(
    "Estamos confirmando tu pago",
    "El servicio de pago puede tardar unos minutos en mostrarlo: no hace falta que pagues otra vez.",
  ),
  checkout_closed: say(
    "Este pago ya ha terminado",
    "Se ha resuelto antes o ha pasado demasiado tiempo. Vuelve a los planes para empezar otro.",
  ),
  lifetime_not_cancellable: say(
    "No se pudo cancelar la suscripción",
    "La membresía Lifetime se paga una sola vez y no se cancela.",
  ),
  payments_unavailable: say("No se pudo activar la suscripción", "Los pagos todavía no están disponibles."),
  payment_provider_failed: say("Error en la suscripción", "Hubo un problema al procesar tu pago"),
  provider_unreachable: say(
    "El servicio de pago no responde",
    "O no nos deja leerlo. No se ha hecho nada: inténtalo en unos minutos.",
  ),
  payment_not_found: say(
    "Este pago no se puede vincular",
    "El servicio no lo conoce, o no es de un plan nuestro. Devuélvelo allí u otorga Gold a mano.",
  ),
  payment_not_eligible: say(
    "Este pago no da Gold",
    "No está completo, se devolvió o no cubre el precio. Devuélvelo en el servicio u otorga Gold a mano.",
  ),
  version_conflict: say("Cambió mientras lo mirabas", "No se ha hecho nada. Mira cómo está ahora y decide otra vez."),
  undo_too_late: say(
    "Ya no se puede deshacer",
    `Una decisión se deshace durante ${LIMITS.undoSeconds} segundos. No se ha hecho nada.`,
  ),
  undo_superseded: say(
    "Ya no se puede deshacer",
    "Ha habido un cambio después de esa decisión. No se ha hecho nada: mira cómo está ahora.",
  ),
  no_rows_updated: say("Error", "Ningún registro actualizado"),
  method_not_allowed: say("Solicitud no admitida", "Esta dirección no admite ese tipo de solicitud."),
  unsupported_media_type: say("Formato no admitido", "La solicitud ha llegado en un formato que no conocemos."),
  malformed_request: say(
    "No hemos podido leer la solicitud",
    "Ha llegado incompleta o con errores. Inténtalo otra vez.",
  ),
  payload_too_large: say("Texto demasiado largo", "Acórtalo e inténtalo otra vez."),
  unsupported_file_type: say("Tipo de archivo no válido", "Por favor, selecciona una imagen (JPG, PNG, GIF, etc.)"),
  file_too_large: say("Archivo demasiado grande", "El archivo debe ser menor a 5MB"),
  image_dimensions_too_large: say(
    "Archivo demasiado grande",
    "La imagen tiene más de 40 millones de píxeles. Elige una más pequeña.",
  ),
  photo_required: say("Falta la foto de perfil", "Por favor, sube una foto de perfil antes de guardar."),
  too_many_requests: ({ action }, pause) => {
    const { title, description } = TOO_OFTEN[action as TextedAction] ?? TOO_MUCH;
    const kept = WITH_TEXT.has(action) ? " Lo que has escrito no se pierde." : "";
    return say(title, `${description} Espera ${pause} e inténtalo otra vez.${kept}`);
  },
  sign_in_paused: (_, pause) =>
    say(
      "Por ahora no puedes entrar desde este navegador",
      `Con este correo se ha probado demasiadas veces desde navegadores que la cuenta no conoce. Para entrar desde este, espera ${pause}; donde ya has entrado alguna vez puedes entrar como siempre.`,
    ),
  server_busy: say("Hay mucha gente entrando", "Espera unos segundos e inténtalo otra vez."),
};

/** @param inBrowser true if a script replaces `RETRY_TIME_PLACEHOLDER` with the local time */
export function errorMessage(code: ErrorCode, details: ErrorDetails = {}, inBrowser = false): MessageText {
  const words = MESSAGES[code] ?? MESSAGES.internal_error;
  if (typeof words !== "function") return words;
  const { until, retry_after_seconds = 60 } = details;
  return words(details, until && inBrowser ? RETRY_TIME_PLACEHOLDER : wait(retry_after_seconds));
}
