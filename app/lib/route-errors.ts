import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import type { ClientErrorCode } from "./client-error-messages.ts";

/** Generic codes. A route replaces them by a more specific error. */
const GENERIC_ERRORS = new Set<ErrorCode>(["internal_error", "unavailable", "network_error"]);

/**
 * Operation of a route: "load", "load ranking" for a tab, "act" for its form, or the intent if it has several forms.
 * "*" matches every intent.
 */
export type RouteOperation = "load" | "act" | (string & {});

/** Returns the load operation for the tab in the URL. */
export function loadOperation(parameters: URLSearchParams): RouteOperation {
  const tab = parameters.get("vista");
  return tab ? `load ${tab}` : "load";
}

const SAVING = { "*": "save_failed" } as const;
const VOTING = { "*": "vote_failed" } as const;

/** Error code by route path and operation if a generic error occurs (specification, section 8). */
export const ROUTE_ERRORS: Record<string, Partial<Record<RouteOperation, ClientErrorCode>>> = {
  "/": { load: "consultations_load_failed", "load ranking": "psychologists_load_failed" },
  buscar: { load: "consultations_load_failed" },
  "nueva-consulta": { act: "consultation_create_failed" },
  "consulta/:id": { load: "consultation_load_failed" },
  "consulta/:id/editar": { load: "consultation_load_failed", act: "save_failed" },
  "consulta/:id/eliminar": { load: "consultation_load_failed", act: "consultation_delete_failed" },
  "consulta/:id/voto": VOTING,
  "consulta/:id/respuesta": { load: "consultation_load_failed", act: "answer_create_failed" },
  "respuesta/:id/editar": SAVING,
  "respuesta/:id/voto": VOTING,
  "respuesta/:id/gracias": SAVING,
  "respuesta/:id/comentario": { act: "answer_create_failed" },
  "comentario/:id/editar": SAVING,
  "psicologo/:id": { load: "profile_load_failed" },
  "psicologo/:id/resena": { load: "profile_load_failed", act: "review_save_failed", edit: "save_failed" },
  perfil: SAVING,
  cuenta: SAVING,
  "cuenta/correo": SAVING,
  "auth/navegador": SAVING,
  "perfil/foto": { act: "upload_failed" },
  admin: { load: "pending_load_failed", approve: "verification_failed", reject: "verification_failed" },
  "admin/consultas": { load: "consultations_load_failed", delete: "consultation_delete_failed" },
  "admin/psicologos": {
    load: "psychologists_load_failed",
    renew: "verification_failed",
    reject: "verification_failed",
  },
  "admin/mensajes": { load: "messages_load_failed" },
  "admin/membresias": { load: "memberships_load_failed" },
  "admin/ayuda": { load: "help_lines_load_failed" },
  planes: { cancel: "subscription_cancel_failed" },
};

export const isGenericError = ({ code }: ErrorBody) => GENERIC_ERRORS.has(code);

/** Replaces a generic error code by the route's own code, if it has one. */
export function toRouteError(pattern: string, routeOperation: RouteOperation, error: ErrorBody): ErrorBody {
  const words = ROUTE_ERRORS[pattern];
  const code = isGenericError(error)
    ? (words?.[routeOperation] ?? words?.[/^load\b/.test(routeOperation) ? "load" : "*"])
    : undefined;
  return code ? { ...error, code } : error;
}
