import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import type { ClientErrorCode } from "./page-words.ts";

/** Generic codes. A route replaces them by a more specific error. */
const GENERIC_ERRORS = new Set<ErrorCode>(["unexpected", "unavailable", "unreachable"]);

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

/** Error code by route path and operation if a generic error occurs (specification, section 8). */
export const ROUTE_ERRORS: Record<string, Partial<Record<RouteOperation, ClientErrorCode>>> = {
  "/": { load: "consultations_not_loaded", "load ranking": "psychologists_not_loaded" },
  "nueva-consulta": { act: "consultation_not_created" },
  "consulta/:id": { load: "consultation_not_loaded" },
  "consulta/:id/editar": { load: "consultation_not_loaded", act: "changes_not_saved" },
  "consulta/:id/eliminar": { load: "consultation_not_loaded", act: "consultation_not_deleted" },
  "consulta/:id/voto": { act: "vote_not_recorded" },
  "consulta/:id/respuesta": { load: "consultation_not_loaded", act: "answer_not_sent" },
  "respuesta/:id/editar": { act: "changes_not_saved" },
  "respuesta/:id/voto": { act: "vote_not_recorded" },
  "respuesta/:id/comentario": { act: "answer_not_sent" },
  "comentario/:id/editar": { act: "changes_not_saved" },
  "psicologo/:id": { load: "profile_not_loaded" },
  "psicologo/:id/resena": { load: "profile_not_loaded", act: "review_not_sent", edit: "changes_not_saved" },
  perfil: { "*": "changes_not_saved" },
  cuenta: { "*": "changes_not_saved" },
  "cuenta/correo": { act: "changes_not_saved" },
  "auth/navegador": { act: "changes_not_saved" },
  "perfil/foto": { act: "upload_failed" },
  admin: {
    load: "pending_psychologists_not_loaded",
    "load consultas": "consultations_not_loaded",
    "load psicologos": "psychologists_not_loaded",
    "load mensajes": "messages_not_loaded",
    "load membresias": "memberships_not_loaded",
    "load ayuda": "help_lines_not_loaded",
    delete: "consultation_not_deleted",
    approve: "verification_not_updated",
    renew: "verification_not_updated",
    reject: "verification_not_updated",
  },
  planes: { cancel: "subscription_not_cancelled" },
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
