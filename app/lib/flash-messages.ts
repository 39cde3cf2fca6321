import { say } from "./client-error-messages.ts";

// 15 s is `LIMITS.undoSeconds`. Pages that use this text do not load the limits.
const UNDO = "Puedes deshacerlo durante 15 segundos.";
// Same message for every author: mentioning a restored credit would reveal something about an anonymous author.
const REMOVED = say("Consulta eliminada", `También sus respuestas; el crédito se devolvió si correspondía. ${UNDO}`);

/** One-time toasts after an action (specification, section 8). */
export const FLASH_MESSAGES = {
  welcome: { title: "¡Bienvenido!" },
  signed_out: { title: "Has cerrado sesión" },
  account_confirmed: say("¡Bienvenido!", "Tu correo está confirmado."),
  password_changed: say("Tu contraseña ha cambiado", "Entra con la nueva."),
  password_changed_here: say("Tu contraseña ha cambiado", "Hemos cerrado la sesión en tus otros dispositivos."),
  signed_out_forgotten: say("Has cerrado sesión", "Tu cuenta ya no conoce este navegador."),
  device_known: say("Listo", "Ahora entra con tu correo y tu contraseña."),
  session_ended: { title: "Sesión cerrada" },
  others_signed_out: say("Sesiones cerradas", "Solo queda abierta esta sesión."),
  all_signed_out: { title: "Has cerrado todas las sesiones" },
  mail_on_its_way: say("Revisa tu correo", "El mensaje va en camino a la dirección nueva."),
  second_factor_off: { title: "Verificación en dos pasos desactivada" },
  consent_withdrawn: say("Permiso retirado", "Sin él no puedes publicar nada nuevo."),
  consent_given: { title: "Permiso guardado" },
  account_deleted: say("Tu cuenta se ha eliminado", "Gracias por haber pasado por aquí."),
  email_kept: { title: "Tu correo sigue siendo el mismo" },
  email_change_over: say("Ese cambio de correo ya no está pendiente", "Aquí ves el correo con el que entras ahora."),
  email_changed: say("Tu correo ha cambiado", "Desde ahora entras con la dirección nueva."),
  email_restored: say(
    "Tu correo vuelve a ser el de antes",
    "Te hemos enviado un enlace para elegir una contraseña nueva.",
  ),
  consultation_created: say("¡Consulta creada!", "Puede responderte más de un profesional; puede tardar horas o días."),
  answer_sent: { title: "¡Respuesta enviada!" },
  last_free_answer_sent: {
    title: "¡Respuesta enviada!",
    description: "Era tu última respuesta gratuita. Para responder otras consultas hace falta la Membresía Gold.",
    link: { to: "/planes", label: "Ver la membresía Gold" },
  },
  review_sent: say("¡Reseña enviada!", "Tu reseña ha sido publicada exitosamente"),
  review_deleted: { title: "Reseña eliminada" },
  changes_saved: { title: "Cambios guardados" },
  consultation_deleted: say("Consulta eliminada", "La consulta y sus respuestas se borraron."),
  consultation_removed: REMOVED,
  removed_from_page: { ...REMOVED, link: { to: "/admin/consultas", label: "Deshacer" } },
  psychologist_approved: say("Psicólogo aprobado", UNDO),
  psychologist_rejected: say("Psicólogo rechazado", UNDO),
  licence_checked_again: say("Matrícula comprobada", `Hay que volver a mirarla en 12 meses. ${UNDO}`),
  decision_undone: say("Decisión deshecha", "Todo está como antes."),
  answer_deleted: { title: "Respuesta eliminada" },
  reply_deleted: { title: "Comentario eliminado" },
  subscription_cancelled: say("Suscripción cancelada", "Tu membresía Gold ha terminado."),
  subscription_cancelled_unconfirmed: say(
    "Suscripción cancelada",
    "Tu membresía Gold ha terminado. El servicio de pago todavía no lo confirma: le avisamos otra vez hasta que lo haga.",
  ),
  // Gold granted by the team outlives the plan.
  subscription_cancelled_gold_granted: say(
    "Suscripción cancelada",
    "Tu plan ha terminado. Sigues con Gold, otorgado por el equipo.",
  ),
  subscription_cancelled_unconfirmed_gold_granted: say(
    "Suscripción cancelada",
    "Tu plan ha terminado. Sigues con Gold, otorgado por el equipo. El servicio de pago todavía no confirma la cancelación: le avisamos otra vez hasta que lo haga.",
  ),
  subscription_cancellation_confirmed: say(
    "Suscripción cancelada",
    "El servicio de pago lo ha confirmado: no habrá más cobros.",
  ),
  payment_problem_handled: { title: "Asunto atendido" },
  payment_read_settled: say("Leído y resuelto", "El servicio de pago mostró lo que faltaba."),
  payment_read_open: say("Leído: sigue por revisar", "Lo que muestra el servicio de pago no lo resuelve."),
  payment_read_waiting: say("Leído: falta la aprobación", "Quien paga todavía no lo ha aprobado allí."),
  payment_read_unknown: say("El servicio no dice de quién es", "No lo conoce, o es de alguien que no reconocemos."),
  payment_assigned: say("Pago vinculado", "Ya es de esa persona."),
  gold_granted: say("Gold otorgado", "La persona recibe un correo."),
  gold_ended: say("Gold terminado", "La persona recibe un correo."),
  message_handled: { title: "Mensaje atendido" },
  mail_retried: say("Lo intentaremos de nuevo", "El correo ha vuelto a la cola de envío."),
  answer_mails_on: { title: "Avisos activados" },
  answer_mails_off: say("Avisos desactivados", "No te escribiremos cuando llegue una respuesta."),
  choices_saved: { title: "Avisos guardados" },
  photo_uploaded: { title: "¡Imagen subida exitosamente!" },
  profile_updated: { title: "¡Perfil actualizado!" },
  profile_updated_pending: say(
    "¡Perfil actualizado!",
    "Has cambiado datos que habíamos verificado: volveremos a revisar tu cuenta en 24-48 horas.",
  ),
} as const satisfies Record<string, { title: string; description?: string; link?: { to: string; label: string } }>;

export type FlashKey = keyof typeof FLASH_MESSAGES;
