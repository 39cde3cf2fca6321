import { ORPCError } from "@orpc/server";
import type { Logger } from "pino";
import { AppError, ERRORS, type ErrorBody, type FieldErrors } from "#shared/errors.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { isTransient, logOutage } from "../database/faults.ts";
import { violatedConstraint } from "../database/handles.ts";

type Issue = {
  code?: string;
  path?: readonly (PropertyKey | { key: PropertyKey })[];
  message: string;
  keys?: string[];
};

/** Returns Spanish messages by field from validation issues. Each field gets its first issue. */
function fieldErrors(issues: readonly Issue[]): FieldErrors {
  // A Map, because clients may send names such as "constructor" or "__proto__".
  const fields = new Map<string, string>();
  const add = (name: string, message: string) => fields.has(name) || fields.set(name, message);
  for (const issue of issues) {
    const first = issue.path?.[0];
    const name = String(typeof first === "object" ? first.key : (first ?? "form"));
    if (issue.keys) for (const key of issue.keys) add(key, "Este dato no se espera aquí.");
    else
      add(name, /^(Invalid|Expected|Unrecognized|Too)/.test(issue.message) ? "Este dato no es válido." : issue.message);
  }
  return Object.fromEntries(fields);
}

/** Converts any error to an AppError. Logs an unforeseen error, which becomes `internal_error` without details. */
export function asAppError(error: unknown, log: Logger, where: string): AppError {
  if (error instanceof AppError) return error;
  if (error instanceof ORPCError) {
    if (error.data instanceof AppError) return error.data;
    const issues = (error.data as { issues?: Issue[] } | undefined)?.issues;
    if (error.code === "BAD_REQUEST" && issues) {
      if (issues.some((issue) => issue.message === "not-an-id")) return new AppError("not_found");
      return new AppError("invalid_input", { fields: fieldErrors(issues) });
    }
    if (error.code === "BAD_REQUEST") return new AppError("malformed_request");
  }
  const cause = error instanceof ORPCError ? (error.cause ?? error) : error;
  const constraint = violatedConstraint(cause) ?? "";
  // The user deleted the account or ended the session on another device during the request.
  if (/_(?:(?:user|profile|account|psychologist|actor|session)_id|(?:granted|ended)_by)_fkey\d*$/.test(constraint))
    return new AppError("sign_in_required");
  // Only a mailed link gives an email to an account, and another account got it first.
  if (constraint === "profiles_email_key") return new AppError("link_expired");
  if (isTransient(cause)) {
    logOutage(log, "unavailable", cause as Error, where);
    return new AppError("unavailable", { details: { retry_after_seconds: 5 } });
  }
  // Log only the stack: a message may quote a user's text, an email or a token.
  const { name, code, stack = "", message = "" } = cause as Error & { code?: string };
  log.error({
    event: "unexpected",
    where,
    name,
    code,
    stack: stack
      .slice(stack.indexOf(message) + message.length)
      .split("\n")
      .filter((part) => /^\s+at /.test(part))
      .slice(0, 12),
  });
  return new AppError("internal_error");
}

export const statusOf = (error: AppError) => ERRORS[error.code];

/** Returns when to retry, or that the connection closes after an unread body. */
export function errorHeaders(error: AppError): Record<string, string> {
  if (["payload_too_large", "file_too_large", "sign_in_to_upload"].includes(error.code)) return { connection: "close" };
  const seconds = error.body.details?.retry_after_seconds;
  return seconds ? { "retry-after": String(seconds) } : {};
}

export const errorResponse = (error: AppError, body: ErrorBody = error.body) =>
  Response.json(body, { status: statusOf(error), headers: errorHeaders(error) });

export function methodNotAllowed(allowed: Iterable<string>): Response {
  const refused = errorResponse(new AppError("method_not_allowed"));
  refused.headers.set("allow", [...new Set(allowed)].join(", "));
  return refused;
}

/**
 * Renders an error page if the real page cannot be rendered: plain HTML with the link to the help lines.
 * @param words title and description of a refusal; a server error has fixed ones
 */
export function errorPage(error: AppError, words: { title: string; description: string }) {
  const ours = statusOf(error) >= 500;
  const title = ours ? `${PRODUCT_NAME} no está disponible en este momento` : words.title;
  const description = ours
    ? "Es un problema nuestro y suele durar poco. Vuelve a intentarlo en unos segundos: nada de lo que has publicado se ha perdido."
    : words.description;
  return new Response(
    `<!doctype html><html lang="es"><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1"><title>${PRODUCT_NAME}</title><body><main><h1>${title}</h1><p>${description}</p><p>Si hay peligro ahora, llama a los servicios de emergencia de tu país o mira las <a href="/ayuda">líneas de ayuda</a>.</p></main></body></html>`,
    {
      status: statusOf(error),
      headers: { "content-type": "text/html; charset=utf-8", "cache-control": "no-store", ...errorHeaders(error) },
    },
  );
}
