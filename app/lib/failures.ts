import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import type { PageWordsCode } from "./page-words.ts";

/** What says only that something failed: the page that asked has better words. */
const UNFORESEEN = new Set<ErrorCode>(["unexpected", "unavailable", "unreachable"]);

/**
 * What the page of a route was about: loading itself ("load", or "load ranking" for one of its tabs), or doing what a form
 * asks ("act"); where forms do several things, their intent. "*" is whatever a form asks.
 */
export type Attempt = "load" | "act" | (string & {});

/** What a page that is being loaded was to show, by the tab in its address. */
export function loading(parameters: URLSearchParams): Attempt {
  const tab = parameters.get("vista");
  return tab ? `load ${tab}` : "load";
}

/** What each page says when something failed for no reason that has words of its own (specification, section 8), by its path in `routes.ts`. */
export const FAILURES: Record<string, Partial<Record<Attempt, PageWordsCode>>> = {
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

/** Whether an error says no more than that something failed. */
export const isUnforeseen = ({ code }: ErrorBody) => UNFORESEEN.has(code);

/** An error in the words of the page that asked, where it has none of its own. */
export function failure(pattern: string, doing: Attempt, error: ErrorBody): ErrorBody {
  const words = FAILURES[pattern];
  const code = isUnforeseen(error) ? (words?.[doing] ?? words?.[/^load\b/.test(doing) ? "load" : "*"]) : undefined;
  return code ? { ...error, code } : error;
}
