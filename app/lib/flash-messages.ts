/** One-time toasts after an action (specification, section 8). */
export const FLASH_MESSAGES = {
  welcome: { title: "¡Bienvenido!" },
  signed_out: { title: "Has cerrado sesión" },
  account_confirmed: { title: "¡Bienvenido!", description: "Tu correo está confirmado." },
  password_changed: { title: "Tu contraseña ha cambiado", description: "Entra con la nueva." },
  password_changed_here: {
    title: "Tu contraseña ha cambiado",
    description: "Hemos cerrado la sesión en tus otros dispositivos.",
  },
  signed_out_forgotten: {
    title: "Has cerrado sesión",
    description: "Tu cuenta ya no conoce este navegador.",
  },
  device_known: { title: "Listo", description: "Ahora entra con tu correo y tu contraseña." },
  session_ended: { title: "Sesión cerrada" },
  others_signed_out: { title: "Sesiones cerradas", description: "Solo queda abierta esta sesión." },
  all_signed_out: { title: "Has cerrado todas las sesiones" },
  mail_on_its_way: { title: "Revisa tu correo", description: "El mensaje va en camino a la dirección nueva." },
  second_factor_off: { title: "Verificación en dos pasos desactivada" },
  consent_withdrawn: { title: "Permiso retirado", description: "Mientras tanto no puedes publicar." },
  consent_given: { title: "Permiso guardado" },
  account_deleted: { title: "Tu cuenta se ha eliminado", description: "Gracias por haber pasado por aquí." },
  email_kept: { title: "Tu correo sigue siendo el mismo" },
  email_changed: { title: "Tu correo ha cambiado", description: "Desde ahora entras con la dirección nueva." },
  email_restored: {
    title: "Tu correo vuelve a ser el de antes",
    description: "Te hemos enviado un enlace para elegir una contraseña nueva.",
  },
  consultation_created: {
    title: "¡Consulta creada!",
    description: "Puede responderte más de un profesional; puede tardar horas o días.",
  },
  answer_sent: { title: "¡Respuesta enviada!" },
  last_free_answer_sent: {
    title: "¡Respuesta enviada!",
    description: "Era tu última respuesta gratuita. Para responder otras consultas hace falta la Membresía Gold.",
    link: { to: "/planes", label: "Ver la membresía Gold" },
  },
  review_sent: { title: "¡Reseña enviada!", description: "Tu reseña ha sido publicada exitosamente" },
  review_deleted: { title: "Reseña eliminada" },
  changes_saved: { title: "Cambios guardados" },
  consultation_deleted: { title: "Consulta eliminada", description: "La consulta y sus respuestas se borraron." },
  // Same message for every author: mentioning a restored credit would reveal something about an anonymous author.
  removed_from_page: {
    title: "Consulta eliminada",
    // 15 s is `LIMITS.undoSeconds`. Pages that use this text do not load the limits.
    description:
      "También sus respuestas; el crédito se devolvió si correspondía. Puedes deshacerlo durante 15 segundos.",
    link: { to: "/admin/consultas", label: "Deshacer" },
  },
  decision_undone: { title: "Decisión deshecha", description: "Todo está como antes." },
  answer_deleted: { title: "Respuesta eliminada" },
  reply_deleted: { title: "Comentario eliminado" },
  subscription_cancelled: { title: "Suscripción cancelada", description: "Tu membresía Gold ha terminado." },
  subscription_cancelled_unconfirmed: {
    title: "Suscripción cancelada",
    description:
      "Tu membresía Gold ha terminado. El servicio de pago todavía no lo confirma: le avisamos otra vez hasta que lo haga.",
  },
  // Gold granted by the team outlives the plan.
  subscription_cancelled_gold_granted: {
    title: "Suscripción cancelada",
    description: "Tu plan ha terminado. Sigues con Gold, otorgado por el equipo.",
  },
  subscription_cancelled_unconfirmed_gold_granted: {
    title: "Suscripción cancelada",
    description:
      "Tu plan ha terminado. Sigues con Gold, otorgado por el equipo. El servicio de pago todavía no confirma la cancelación: le avisamos otra vez hasta que lo haga.",
  },
  subscription_cancellation_confirmed: {
    title: "Suscripción cancelada",
    description: "El servicio de pago lo ha confirmado: no habrá más cobros.",
  },
  payment_problem_handled: { title: "Asunto atendido" },
  payment_read_changed: { title: "Leído y actualizado", description: "El servicio de pago mostró algo nuevo." },
  payment_read_unchanged: { title: "Leído: nada ha cambiado", description: "El servicio muestra lo que ya sabíamos." },
  payment_read_waiting: {
    title: "Leído: falta la aprobación",
    description: "Quien paga todavía no lo ha aprobado allí.",
  },
  payment_read_unknown: {
    title: "El servicio no dice de quién es",
    description: "No lo conoce, o es de alguien que no reconocemos.",
  },
  cancellation_read_confirmed: { title: "Cancelación confirmada", description: "El servicio ya la muestra terminada." },
  cancellation_read_open: {
    title: "Allí sigue abierta",
    description: "El servicio de pago todavía no la muestra terminada. Se sigue intentando.",
  },
  cancellation_read_unknown: {
    title: "El servicio no la conoce",
    description: "No tiene ninguna suscripción con ese número.",
  },
  cancellation_closed: { title: "Cancelación cerrada", description: "Ya no se intenta." },
  payment_assigned: { title: "Pago vinculado", description: "Ya es de esa persona." },
  gold_granted: { title: "Gold otorgado", description: "La persona recibe un correo." },
  gold_ended: { title: "Gold terminado", description: "La persona recibe un correo." },
  message_sent: { title: "¡Mensaje enviado!", description: "Te responderemos por correo." },
  message_handled: { title: "Mensaje atendido" },
  mail_retried: { title: "Lo intentaremos de nuevo", description: "El correo ha vuelto a la cola de envío." },
  answer_mails_on: { title: "Avisos activados" },
  answer_mails_off: { title: "Avisos desactivados", description: "No te escribiremos cuando llegue una respuesta." },
  choices_saved: { title: "Avisos guardados" },
  photo_uploaded: { title: "¡Imagen subida exitosamente!" },
  profile_updated: { title: "¡Perfil actualizado!" },
  profile_updated_pending: {
    title: "¡Perfil actualizado!",
    description: "Has cambiado datos que habíamos verificado: volveremos a revisar tu cuenta en 24-48 horas.",
  },
} as const satisfies Record<string, { title: string; description?: string; link?: { to: string; label: string } }>;

export type FlashKey = keyof typeof FLASH_MESSAGES;
