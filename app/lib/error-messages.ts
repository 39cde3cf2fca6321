import type { ErrorCode, ErrorDetails } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import {
  CLIENT_ERROR_MESSAGES,
  type DisplayError,
  type MessageText,
  RETRY_TIME_PLACEHOLDER,
  resolveMessage,
} from "./client-error-messages.ts";
import { pluralize } from "./numbers.ts";
import { rateLimitMessage } from "./rate-limit-messages.ts";

function wait(seconds: number): string {
  if (seconds < 60) return pluralize(seconds, "segundo", "segundos");
  const minutes = Math.ceil(seconds / 60);
  return minutes < 60 ? pluralize(minutes, "minuto", "minutos") : pluralize(Math.ceil(minutes / 60), "hora", "horas");
}

/** Spanish messages of all errors (specification, section 8). An error code without a message does not compile. */
const MESSAGES: Record<ErrorCode, MessageText | ((details: ErrorDetails, inBrowser: boolean) => MessageText)> = {
  ...CLIENT_ERROR_MESSAGES,
  upload_failed: { title: "Error al subir archivo", description: "No se pudo subir la imagen. Intenta de nuevo." },
  invalid_input: {
    title: "Revisa los datos",
    description: "Hay algo que corregir en el formulario. Lo que has escrito sigue ahí.",
  },
  invalid_credentials: {
    title: "Revisa lo que has escrito",
    description: "El correo o la contraseña no son correctos. Mira también las mayúsculas y los espacios.",
  },
  email_not_confirmed: {
    title: "Falta confirmar tu correo",
    description:
      "Todavía no has confirmado tu correo. Busca el mensaje que te enviamos o pide que lo enviemos otra vez.",
  },
  link_expired: {
    title: "Este enlace ya no sirve",
    description: "Los enlaces de los correos sirven una sola vez y por poco tiempo. Pide uno nuevo.",
  },
  registration_required: {
    title: "Faltan tus datos",
    description: "Has abierto el enlace en otro navegador: revisa tus datos y elige una contraseña.",
  },
  reauthentication_required: {
    title: "Escribe tu contraseña",
    description: "Para este cambio la pedimos otra vez si han pasado más de 10 minutos desde la última.",
  },
  second_factor_required: {
    title: "Falta un paso",
    description: "La administración pide la verificación en dos pasos. Actívala en Cuenta y seguridad.",
  },
  second_factor_expired: {
    title: "Vuelve a empezar",
    description: "Ha pasado demasiado tiempo desde que escribiste tu contraseña, o ya has entrado. Escríbela otra vez.",
  },
  second_factor_already_enabled: {
    title: "Ya está activada",
    description: "La verificación en dos pasos ya protege esta cuenta.",
  },
  second_factor_not_set_up: {
    title: "Vuelve a empezar",
    description: "Ha pasado demasiado tiempo o la verificación en dos pasos no está activada. Empieza otra vez.",
  },
  consent_withdrawn: {
    title: "Has retirado un permiso",
    description: "Mientras tanto no puedes publicar. En Cuenta y seguridad puedes darlo otra vez o eliminar tu cuenta.",
  },
  sign_in_required: { title: "Falta iniciar sesión", description: "Debes iniciar sesión para continuar." },
  sign_in_to_vote: { title: "Error", description: "Debes iniciar sesión para votar" },
  sign_in_to_ask: { title: "Error", description: "Debes iniciar sesión para crear una consulta" },
  sign_in_to_answer: { title: "Error", description: "Debes iniciar sesión para responder" },
  sign_in_to_reply: { title: "Error", description: "Debes iniciar sesión para responder" },
  sign_in_to_upload: { title: "Error", description: "Debes estar autenticado para subir archivos" },
  sign_in_to_subscribe: { title: "Error", description: "Debes iniciar sesión para suscribirse" },
  sign_in_to_see_plans: { title: "Error", description: "Debes iniciar sesión para suscribirte" },
  psychologists_only: {
    title: "Acceso solo para psicólogos",
    description: "La membresía Gold es para profesionales que responden consultas.",
  },
  verification_required: {
    title: "Cuenta no verificada",
    description:
      "Todavía estamos revisando tu matrícula: tarda entre 24 y 48 horas y te avisaremos por correo. Nadie paga antes de poder responder.",
  },
  sign_in_to_review: { title: "Error", description: "Debes iniciar sesión para dejar una reseña" },
  cannot_review_self: { title: "Este perfil es tuyo", description: "No puedes calificar tu propio perfil." },
  statistics_private: {
    title: "Estadísticas privadas",
    description: "Solo quien tiene este perfil puede ver sus estadísticas.",
  },
  gold_required: {
    title: "Solo con Membresía Gold",
    description: "Las estadísticas del perfil son parte de la membresía Gold.",
  },
  psychologists_cannot_ask: {
    title: "Error",
    description: "Los psicólogos no pueden crear consultas, solo responderlas",
  },
  psychologists_cannot_reply: {
    title: "Error",
    description: "Los psicólogos no pueden crear replies, solo respuestas principales",
  },
  psychologist_required: { title: "Error", description: "Solo los psicólogos pueden responder consultas" },
  account_not_verified: {
    title: "Cuenta no verificada",
    description:
      "Tu cuenta debe ser verificada por el equipo antes de que puedas responder. Te avisaremos por correo cuando esté aprobada.",
  },
  free_answers_limit_reached: {
    title: "Límite alcanzado",
    description:
      "Has llegado al límite de respuestas gratuitas. Considera la membresía Gold para responder sin límite.",
  },
  weekly_limit_reached: ({ days_until_reset = 7 }) => ({
    title: "Límite semanal alcanzado",
    description: `Podrás publicar otra consulta en ${pluralize(days_until_reset, "día", "días")}.`,
  }),
  template_limit_reached: {
    title: `Ya tienes ${LIMITS.templates} textos`,
    description: "Elimina uno en «Mi Perfil» para guardar otro.",
  },
  reply_limit_reached: ({ until, retry_after_seconds = 86_400 }, inBrowser) => ({
    title: "Por hoy son muchos comentarios",
    description: `En una misma respuesta se pueden escribir ${LIMITS.repliesPerDay} comentarios en 24 horas. Espera ${until && inBrowser ? RETRY_TIME_PLACEHOLDER : wait(retry_after_seconds)} para escribir otro. Lo que has escrito no se pierde.`,
  }),
  cannot_vote_own_answer: { title: "Esta respuesta es tuya", description: "No puedes votar tu propia respuesta." },
  admin_only: { title: "Acceso Denegado", description: "No tienes permisos para acceder a esta página." },
  cross_origin_request: {
    title: "No hemos aceptado la solicitud",
    description: `No viene de una página de ${PRODUCT_NAME}. Vuelve a cargar la página e inténtalo otra vez.`,
  },
  consultation_not_found: {
    title: "Consulta no encontrada",
    description: "Puede que la dirección tenga un error o que la consulta ya no exista.",
  },
  answer_not_found: { title: "Respuesta no encontrada", description: "Puede que la respuesta ya no exista." },
  reply_not_found: { title: "Comentario no encontrado", description: "Puede que el comentario ya no exista." },
  gone: {
    title: "Esto ya no está aquí",
    description: `Lo ha borrado quien lo escribió, o lo ha retirado el equipo. Si buscabas compañía, en ${PRODUCT_NAME} hay otras consultas que leer.`,
  },
  consultation_deleted: {
    title: "Esta consulta ya no existe",
    description:
      "Se ha borrado mientras escribías, así que tu respuesta no se ha publicado. Tu texto sigue aquí para que lo copies.",
  },
  parent_deleted: {
    title: "Ya no se puede publicar aquí",
    description: "Aquello sobre lo que escribías se ha borrado mientras tanto. Tu texto sigue aquí para que lo copies.",
  },
  psychologist_not_found: {
    title: "Psicólogo no encontrado",
    description: "Puede que la dirección tenga un error o que el perfil ya no exista.",
  },
  checkout_not_found: {
    title: "Pago no encontrado",
    description: "Puede que la dirección tenga un error o que el pago sea de otra cuenta.",
  },
  subscription_not_found: {
    title: "No se pudo cancelar la suscripción",
    description: "No encontramos esa suscripción en tu cuenta.",
  },
  already_subscribed: {
    title: "Ya tienes Membresía Gold",
    description: "Tu membresía está activa: no hace falta pagar otra vez.",
  },
  payment_confirming: {
    title: "Estamos confirmando tu pago",
    description: "El servicio de pago puede tardar unos minutos en mostrarlo: no hace falta que pagues otra vez.",
  },
  checkout_closed: {
    title: "Este pago ya ha terminado",
    description: "Se ha resuelto antes o ha pasado demasiado tiempo. Vuelve a los planes para empezar otro.",
  },
  lifetime_not_cancellable: {
    title: "No se pudo cancelar la suscripción",
    description: "La membresía Lifetime se paga una sola vez y no se cancela.",
  },
  payments_unavailable: {
    title: "No se pudo activar la suscripción",
    description: "Los pagos todavía no están disponibles.",
  },
  payment_provider_failed: {
    title: "Error en la suscripción",
    description: "Hubo un problema al procesar tu pago",
  },
  provider_unreachable: {
    title: "El servicio de pago no responde",
    description: "O no nos deja leerlo. No se ha hecho nada: inténtalo en unos minutos.",
  },
  payment_not_found: {
    title: "Este pago no se puede vincular",
    description: "El servicio no lo conoce, o no es de un plan nuestro. Devuélvelo allí u otorga Gold a mano.",
  },
  payment_not_eligible: {
    title: "Este pago no da Gold",
    description: "No está completo, se devolvió o no cubre el precio. Devuélvelo en el servicio u otorga Gold a mano.",
  },
  version_conflict: {
    title: "Cambió mientras lo mirabas",
    description: "No se ha hecho nada. Mira cómo está ahora y decide otra vez.",
  },
  undo_too_late: {
    title: "Ya no se puede deshacer",
    description: `Una decisión se deshace durante ${LIMITS.undoSeconds} segundos. No se ha hecho nada.`,
  },
  undo_superseded: {
    title: "Ya no se puede deshacer",
    description: "Ha habido un cambio después de esa decisión. No se ha hecho nada: mira cómo está ahora.",
  },
  no_rows_updated: { title: "Error", description: "Ningún registro actualizado" },
  method_not_allowed: {
    title: "Solicitud no admitida",
    description: "Esta dirección no admite ese tipo de solicitud.",
  },
  unsupported_media_type: {
    title: "Formato no admitido",
    description: "La solicitud ha llegado en un formato que no conocemos.",
  },
  malformed_request: {
    title: "No hemos podido leer la solicitud",
    description: "Ha llegado incompleta o con errores. Inténtalo otra vez.",
  },
  payload_too_large: { title: "Texto demasiado largo", description: "Acórtalo e inténtalo otra vez." },
  unsupported_file_type: {
    title: "Tipo de archivo no válido",
    description: "Por favor, selecciona una imagen (JPG, PNG, GIF, etc.)",
  },
  file_too_large: { title: "Archivo demasiado grande", description: "El archivo debe ser menor a 5MB" },
  image_dimensions_too_large: {
    title: "Archivo demasiado grande",
    description: "La imagen tiene más de 40 millones de píxeles. Elige una más pequeña.",
  },
  photo_required: {
    title: "Falta la foto de perfil",
    description: "Por favor, sube una foto de perfil antes de guardar.",
  },
  too_many_requests: ({ action, until, retry_after_seconds = 60 }, inBrowser) => {
    const { title, description } = rateLimitMessage(action);
    const pause = until && inBrowser ? RETRY_TIME_PLACEHOLDER : wait(retry_after_seconds);
    return {
      title,
      description: `${description} Espera ${pause} e inténtalo otra vez. Lo que has escrito no se pierde.`,
    };
  },
  sign_in_paused: ({ until, retry_after_seconds = 3600 }, inBrowser) => ({
    title: "Por ahora no puedes entrar desde este navegador",
    description: `Con este correo se ha probado demasiadas veces desde navegadores que la cuenta no conoce. Para entrar desde este, espera ${until && inBrowser ? RETRY_TIME_PLACEHOLDER : wait(retry_after_seconds)}; donde ya has entrado alguna vez puedes entrar como siempre.`,
  }),
  server_busy: { title: "Hay mucha gente entrando", description: "Espera unos segundos e inténtalo otra vez." },
};

/**
 * Returns the Spanish title and description of an error.
 * @param inBrowser true if a script replaces `RETRY_TIME_PLACEHOLDER` with the local time; otherwise the message contains the seconds or
 * minutes to wait, which need no time zone
 */
export function errorMessage(code: ErrorCode, details: ErrorDetails = {}, inBrowser = false): MessageText {
  const words = MESSAGES[code] ?? MESSAGES.internal_error;
  return typeof words === "function" ? words(details, inBrowser) : words;
}

/** Returns the message of a failed action, with times in the reader's time zone. */
export const browserErrorMessage = (actionError: DisplayError): MessageText =>
  resolveMessage({ words: errorMessage(actionError.code, actionError.details, true), ...actionError });
