import { index, layout, type RouteConfig, route } from "@react-router/dev/routes";

/** The parts of the interface in all their states, for whoever develops: no build has this page. */
const whileDeveloping = process.env.NODE_ENV === "development" ? [route("_ui", "routes/gallery.tsx")] : [];

/** Every address of the site. */
const pages = [
  index("routes/home.tsx"),
  route("home", "routes/landing.tsx"),

  route("auth", "routes/auth.tsx"),
  route("auth/revisa-tu-correo", "routes/check-mail.tsx"),
  route("auth/confirmar", "routes/confirm-registration.tsx"),
  route("auth/recuperar", "routes/request-recovery.tsx"),
  route("auth/nueva-contrasena", "routes/new-password.tsx"),
  route("auth/codigo", "routes/second-step.tsx"),
  route("auth/navegador", "routes/device-link.tsx"),
  route("salir", "routes/sign-out.ts"),

  route("nueva-consulta", "routes/new-consultation.tsx"),
  route("consulta/:id", "routes/consultation.tsx"),
  route("consulta/:id/editar", "routes/edit-consultation.tsx"),
  route("consulta/:id/eliminar", "routes/delete-consultation.tsx"),
  route("consulta/:id/voto", "routes/consultation-vote.ts"),
  route("consulta/:id/respuesta", "routes/new-answer.tsx"),
  route("respuesta/:id/editar", "routes/edit-answer.tsx"),
  route("respuesta/:id/eliminar", "routes/delete-answer.tsx"),
  route("respuesta/:id/voto", "routes/answer-vote.ts"),
  route("respuesta/:id/comentario", "routes/new-reply.tsx"),
  route("comentario/:id/editar", "routes/edit-reply.tsx"),
  route("comentario/:id/eliminar", "routes/delete-reply.tsx"),
  route("psicologo/:id", "routes/psychologist.tsx"),
  route("perfil", "routes/profile.tsx"),
  route("perfil/foto", "routes/profile-photo.tsx"),
  route("psicologo/:id/resena", "routes/review.tsx"),

  route("cuenta", "routes/account.tsx"),
  route("cuenta/correo", "routes/email-link.tsx"),
  route("cuenta/segundo-paso", "routes/second-factor.tsx"),
  route("cuenta/datos", "routes/own-data.ts"),
  route("cuenta/eliminar", "routes/close-account.tsx"),

  route("admin", "routes/admin.tsx"),
  route("planes", "routes/plans.tsx"),
  route("planes/pago/:id", "routes/checkout.tsx"),
  route("planes/pago/:id/fin", "routes/checkout-end.tsx"),
  route("baja/:token", "routes/unsubscribe.tsx"),
  route("contacto", "routes/contact.tsx"),
  route("admin/mensaje/:id", "routes/handled-message.ts"),
  route("admin/pago/:id", "routes/handled-payment.ts"),
  route("ayuda", "routes/help.tsx"),
  route("terms", "routes/terms.tsx"),
  route("privacy", "routes/privacy.tsx"),
  route("tema", "routes/theme.ts"),
  route("correo", "routes/mails.tsx"),
  route("api/docs", "routes/api-docs.tsx"),
  ...whileDeveloping,
  route("*", "routes/not-found.tsx"),
];

export default [layout("routes/frame.tsx", pages)] satisfies RouteConfig;
