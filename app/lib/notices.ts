/** What is said once, in a toast, after something was done (specification, section 8). */
export const NOTICES = {
  welcome: { title: "¡Bienvenido!" },
  signed_out: { title: "Cerraste la sesión" },
  account_confirmed: { title: "¡Bienvenido!", description: "Tu correo quedó confirmado." },
  password_changed: { title: "Tu contraseña cambió", description: "Entra con la nueva." },
  consultation_created: { title: "¡Consulta creada!", description: "Te responderán profesionales verificados." },
  answer_sent: { title: "¡Respuesta enviada!" },
  psychologist_approved: { title: "Psicólogo aprobado" },
  psychologist_rejected: { title: "Psicólogo rechazado" },
  mail_retried: { title: "Lo intentaremos de nuevo", description: "El correo volvió a la cola de envío." },
} as const satisfies Record<string, { title: string; description?: string }>;

export type NoticeKey = keyof typeof NOTICES;
