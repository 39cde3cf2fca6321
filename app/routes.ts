import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** Gallery of all components. Development only. */
const whileDeveloping = process.env.NODE_ENV === "development" ? [route("_ui", "routes/gallery.tsx")] : [];

const pages = [
  index("routes/home.tsx"),
  route("home", "routes/landing.tsx"),

  route("auth", "routes/accounts/auth.tsx"),
  route("auth/revisa-tu-correo", "routes/accounts/check-mail.tsx"),
  route("auth/confirmar", "routes/accounts/confirm-registration.tsx"),
  route("auth/recuperar", "routes/accounts/request-recovery.tsx"),
  route("auth/nueva-contrasena", "routes/accounts/new-password.tsx"),
  route("auth/codigo", "routes/accounts/challenge.tsx"),
  route("auth/navegador", "routes/accounts/device-link.tsx"),
  route("salir", "routes/accounts/sign-out.ts"),

  route("nueva-consulta", "routes/consultations/new-consultation.tsx"),
  route("consulta/:id", "routes/consultations/consultation.tsx"),
  route("consulta/:id/editar", "routes/consultations/edit-consultation.tsx"),
  route("consulta/:id/eliminar", "routes/consultations/delete-consultation.tsx"),
  route("consulta/:id/voto", "routes/consultations/consultation-vote.ts"),
  route("consulta/:id/respuesta", "routes/answers/new-answer.tsx"),
  route("respuesta/:id/editar", "routes/answers/edit-answer.tsx"),
  route("respuesta/:id/eliminar", "routes/answers/delete-answer.tsx"),
  route("respuesta/:id/voto", "routes/answers/answer-vote.ts"),
  route("respuesta/:id/comentario", "routes/answers/new-reply.tsx"),
  route("comentario/:id/editar", "routes/answers/edit-reply.tsx"),
  route("comentario/:id/eliminar", "routes/answers/delete-reply.tsx"),
  route("psicologo/:id", "routes/psychologists/psychologist.tsx"),
  route("perfil", "routes/accounts/profile.tsx"),
  route("perfil/foto", "routes/uploads/profile-photo.tsx"),
  route("psicologo/:id/resena", "routes/reviews/review.tsx"),

  route("cuenta", "routes/accounts/account.tsx"),
  route("cuenta/correo", "routes/accounts/email-link.tsx"),
  route("cuenta/segundo-paso", "routes/accounts/second-factor.tsx"),
  route("cuenta/datos", "routes/own-data/export.ts"),
  route("cuenta/eliminar", "routes/own-data/close-account.tsx"),

  route("admin", "routes/admin/admin.tsx"),
  route("planes", "routes/memberships/plans.tsx"),
  route("planes/pago/:id", "routes/memberships/checkout.tsx"),
  route("planes/pago/:id/fin", "routes/memberships/checkout-end.tsx"),
  route("baja/:token", "routes/answers/unsubscribe.tsx"),
  route("contacto", "routes/contact/contact.tsx"),
  route("admin/mensaje/:id", "routes/admin/handled-message.ts"),
  route("admin/pago/:id", "routes/admin/handled-payment.ts"),
  route("admin/pago/:id/leer", "routes/admin/read-payment.ts"),
  route("admin/pago/:id/vincular", "routes/admin/tie-payment.tsx"),
  route("admin/cancelacion/:id/leer", "routes/admin/read-cancellation.ts"),
  route("admin/cancelacion/:id/cerrar", "routes/admin/close-cancellation.tsx"),
  route("admin/psicologo/:id/gold", "routes/admin/gold.tsx"),
  route("ayuda", "routes/safety/help.tsx"),
  route("terms", "routes/terms.tsx"),
  route("privacy", "routes/privacy.tsx"),
  route("tema", "routes/theme.ts"),
  route("api/docs", "routes/api-docs.tsx"),
  ...whileDeveloping,
  route("*", "routes/not-found.tsx"),
];

export default [layout("routes/layout.tsx", pages)] satisfies RouteConfig;
