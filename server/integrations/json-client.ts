import type { z } from "zod";
import { SECOND } from "#shared/time.ts";
import { ProviderError } from "./provider-error.ts";

/** Timeout of one call, in milliseconds: long enough for a slow provider, short enough for a waiting user. */
const TIMEOUT_MS = 10_000;

export type JsonCall = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON; strings stay unchanged. */
  body?: unknown;
};

const requestOf = (method: string, { headers, body }: JsonCall): RequestInit => ({
  method,
  headers: {
    accept: "application/json",
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...headers,
  },
  body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
  redirect: "error",
});

/** @throws ProviderError unavailable without a whole response in time */
export async function fetchText(
  provider: string,
  what: string,
  url: string,
  request: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<{ response: Response; text: string }> {
  try {
    const response = await fetch(url, { ...request, signal: AbortSignal.timeout(timeoutMs) });
    return { response, text: await response.text() };
  } catch (error) {
    const timedOut = (error as Error).name === "TimeoutError";
    throw new ProviderError("unavailable", provider, `${what} got ${timedOut ? "no answer in time" : "no answer"}`);
  }
}

/**
 * Returns the source text of an integer that loses digits as a JavaScript number, because providers send ids of 17
 * digits as JSON numbers.
 */
const keepDigits = (_key: string, value: unknown, context?: { source?: string }) =>
  typeof value === "number" && Number.isInteger(value) && !Number.isSafeInteger(value)
    ? (context?.source ?? value)
    : value;

/**
 * Parses JSON; returns too large integers as strings.
 * @returns null if the text is empty, undefined if it is not JSON
 */
export function parseJson(text: string): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text, keepDigits);
  } catch {
    return undefined;
  }
}

/** Returns the milliseconds of a Retry-After header (seconds or a date), or null. */
function retryAfterMs(header: string | null): number | null {
  if (!header) return null;
  const wait = /^\d{1,6}$/.test(header) ? Number(header) * SECOND : Date.parse(header) - Date.now();
  return Number.isNaN(wait) ? null : Math.max(0, wait);
}

/** The kind of a failure with a status: a call may succeed later after 5xx, 429 and 408. */
export const failureOf = (status: number) =>
  status >= 500 || status === 429 || status === 408 ? "unavailable" : "refused";

/**
 * Opens JSON calls to one provider. Does not follow redirects, because only the provider's own host may get our
 * credentials.
 * @param debugHeader response header with the id by which the provider's support finds the call
 * @param reasonOf finds the provider's error code in the body of a refusal
 * @returns a function that resolves with the body of a 2xx response in the shape of a schema; an empty body is null
 * @throws ProviderError
 */
export function openJsonCalls(
  provider: string,
  apiBase: string,
  debugHeader: string,
  reasonOf: (body: unknown) => unknown,
  timeoutMs?: number,
) {
  const base = apiBase.replace(/\/+$/, "");
  return async <Schema extends z.ZodType>(
    schema: Schema,
    method: string,
    path: string,
    call: JsonCall = {},
  ): Promise<z.output<Schema>> => {
    const what = `${method} ${path}`;
    const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
    const url = `${base}${path}${query}`;
    const { response, text } = await fetchText(provider, what, url, requestOf(method, call), timeoutMs);
    const { ok, status } = response;
    const debugId = /^[\w-]{1,64}$/.exec(response.headers.get(debugHeader) ?? "")?.[0] ?? null;
    const body = parseJson(text);
    if (ok && body === undefined)
      throw new ProviderError("unreadable", provider, `${what} was answered unreadably`, { status, debugId });
    if (ok) return parsed(provider, schema, body);
    // Store only codes, because a sentence may quote a user's text.
    const reason = /^[\w.-]{1,80}$/.exec(String(reasonOf(body ?? null) ?? ""))?.[0] ?? null;
    const wait = retryAfterMs(response.headers.get("retry-after"));
    throw new ProviderError(failureOf(status), provider, what, { status, reason, debugId, retryAfterMs: wait });
  };
}

/** @throws ProviderError unreadable if a body has another shape */
function parsed<Schema extends z.ZodType>(provider: string, schema: Schema, body: unknown): z.output<Schema> {
  const { success, data, error } = schema.safeParse(body);
  if (success) return data;
  const where = error.issues[0]!.path.join(".") || "the whole";
  throw new ProviderError("unreadable", provider, `answered something unexpected at ${where}`);
}
