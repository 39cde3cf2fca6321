import { isRouteErrorResponse } from "react-router";
import type { ErrorBody, ErrorCode } from "#shared/errors.ts";
import { HOUR, MINUTE } from "#shared/time.ts";

export type MessageText = { title: string; description: string };

export const say = (title: string, description: string): MessageText => ({ title, description });

/** Message of a failed operation, such as "No se pudo crear la consulta". */
export const failure = (description: string) => say("Error", description);

/** Message of a page or list that failed to load. */
export const outage = (title: string) =>
  say(title, "Es un problema nuestro y suele durar poco. Inténtalo otra vez en unos segundos.");

/**
 * Messages of a page that replace a generic error (specification, section 8), in its `handle`: "load" for its loader,
 * "load ranking" for a tab, an intent for one of its forms, "lost" with an intent only if no page responded, "act" for
 * its form without an intent, "*" for all forms. For forms, a message under an error code replaces the usual one.
 */
export type FailureWords = Readonly<Partial<Record<string, MessageText>>>;
export type FailureHandle = { failed?: FailureWords };

const GENERIC_ERRORS = new Set<ErrorCode>(["internal_error", "unavailable", "network_error"]);
export const isGenericError = ({ code }: ErrorBody) => GENERIC_ERRORS.has(code);

/** Bundled for the browser, for errors without a response of the server (specification, section 8). */
export const CLIENT_ERROR_MESSAGES = {
  not_found: say("Página no encontrada", "Puede que la dirección tenga un error o que ya no exista."),
  unavailable: outage("No hemos podido guardar ni leer los datos"),
  network_error: say("Sin conexión", "No llegamos al servidor. Revisa tu conexión e inténtalo otra vez."),
  internal_error: failure("Es un problema nuestro. Inténtalo otra vez en unos minutos."),
} as const satisfies Partial<Record<ErrorCode, MessageText>>;

export type DisplayError = ErrorBody & {
  words?: MessageText;
  /** Set if the server did not respond: true if the request may have reached it. */
  lost?: boolean;
  told?: boolean;
  /** Text of a refused form that the page cannot show again; may be empty. */
  unsent?: string;
};

/** Placeholder that the browser replaces with the local time. */
export const RETRY_TIME_PLACEHOLDER = "{until}";

/** Formats "hasta las 22:15". Rounds up to full minutes, so that the user does not return too early. */
export function formatRetryTime(until: Date, now: Date): string {
  const end = new Date(Math.ceil(until.getTime() / MINUTE) * MINUTE);
  const article = end.getHours() === 1 ? "la" : "las";
  const time = `${article} ${end.getHours()}:${String(end.getMinutes()).padStart(2, "0")}`;
  const far = end.getTime() - now.getTime() > 12 * HOUR && end.getDate() !== now.getDate();
  return far ? `hasta mañana a ${time}` : `hasta ${time}`;
}

export const resolveMessage = ({ code, details, words }: DisplayError): MessageText => {
  const { title, description } =
    words ??
    (CLIENT_ERROR_MESSAGES as Partial<Record<ErrorCode, MessageText>>)[code] ??
    CLIENT_ERROR_MESSAGES.internal_error;
  const until = details?.until ? formatRetryTime(new Date(details.until), new Date()) : "";
  return say(title, description.replace(RETRY_TIME_PLACEHOLDER, until));
};

/** Returns code and message of an error that a loader threw, and the text of a refused form. */
export function pageError(error: unknown): MessageText & Pick<DisplayError, "code" | "unsent"> {
  const response = isRouteErrorResponse(error) ? error : null;
  const said: DisplayError = response?.data?.code
    ? response.data
    : { code: response?.status === 404 ? "not_found" : "internal_error" };
  return { code: said.code, unsent: said.unsent, ...resolveMessage(said) };
}

/** Returns the error in the data of an action, or null. */
export const getActionError = (data: unknown): DisplayError | null =>
  typeof data === "object" && data !== null && "actionError" in data
    ? (data as { actionError: DisplayError }).actionError
    : null;
