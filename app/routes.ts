import { index, type RouteConfig, route } from "@react-router/dev/routes";

/** Every address of the site. */
export default [
  index("routes/home.tsx"),
  route("home", "routes/landing.tsx"),

  route("auth", "routes/auth.tsx"),
  route("auth/revisa-tu-correo", "routes/check-mail.tsx"),
  route("auth/confirmar", "routes/confirm-registration.tsx"),
  route("auth/recuperar", "routes/request-recovery.tsx"),
  route("auth/nueva-contrasena", "routes/new-password.tsx"),
  route("salir", "routes/sign-out.ts"),

  route("nueva-consulta", "routes/new-consultation.tsx"),
  route("consulta/:id", "routes/consultation.tsx"),
  route("consulta/:id/voto", "routes/consultation-vote.ts"),
  route("consulta/:id/respuesta", "routes/new-answer.tsx"),
  route("respuesta/:id/voto", "routes/answer-vote.ts"),
  route("respuesta/:id/comentario", "routes/new-reply.tsx"),
  route("psicologo/:id", "routes/psychologist.tsx"),

  route("admin", "routes/admin.tsx"),
  route("ayuda", "routes/help.tsx"),
  route("terms", "routes/terms.tsx"),
  route("privacy", "routes/privacy.tsx"),
  route("tema", "routes/theme.ts"),
  route("correo", "routes/mails.tsx"),
  route("api/docs", "routes/api-docs.tsx"),
  route("*", "routes/not-found.tsx"),
] satisfies RouteConfig;
