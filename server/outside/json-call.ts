import type { z } from "zod";
import { ExternalServiceError } from "./external-service-error.ts";

/** Long enough for a service on a slow day, short enough for somebody who waits before a screen. */
const TIMEOUT_MS = 10_000;

export type Fetch = typeof globalThis.fetch;
export type JsonCall = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
};

/**
 * Speaks JSON to one service. Redirects are not followed: nothing may lead our credentials elsewhere.
 * @param reasonOf finds the service's own code of a refusal in its answer
 * @returns a function that resolves with the body of a 2xx answer, null when that is empty
 * @throws ExternalServiceError
 */
export function openJsonCalls(
  service: string,
  apiBase: string,
  debugHeader: string,
  reasonOf: (body: unknown) => unknown,
  fetch: Fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
) {
  const base = apiBase.replace(/\/+$/, "");
  return async (method: string, path: string, { query, headers, body }: JsonCall = {}): Promise<unknown> => {
    const what = `${method} ${path}`;
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}${path}${query ? `?${new URLSearchParams(query)}` : ""}`, {
        method,
        headers: {
          accept: "application/json",
          ...(body === undefined ? {} : { "content-type": "application/json" }),
          ...headers,
        },
        body: body === undefined || typeof body === "string" ? body : JSON.stringify(body),
        redirect: "error",
        signal: AbortSignal.timeout(timeoutMs),
      });
      text = await response.text();
    } catch (error) {
      const late = (error as Error).name === "TimeoutError";
      throw new ExternalServiceError("unavailable", service, `${what} got ${late ? "no answer in time" : "no answer"}`);
    }
    const { status } = response;
    const debugId = /^[\w-]{1,64}$/.exec(response.headers.get(debugHeader) ?? "")?.[0] ?? null;
    let answer: unknown = null;
    try {
      if (text) answer = JSON.parse(text);
    } catch {
      if (response.ok)
        throw new ExternalServiceError("unavailable", service, `${what} was answered unreadably`, { status, debugId });
    }
    if (response.ok) return answer;
    // Codes alone: a sentence may quote what a person wrote.
    const reason = /^[\w.-]{1,80}$/.exec(String(reasonOf(answer) ?? ""))?.[0] ?? null;
    const kind = status >= 500 || status === 429 || status === 408 ? "unavailable" : "refused";
    throw new ExternalServiceError(kind, service, what, { status, reason, debugId });
  };
}

/** What a service answered, as we know it. @throws ExternalServiceError unavailable when it has another shape */
export function readAnswer<Schema extends z.ZodType>(
  service: string,
  schema: Schema,
  answer: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]!.path.join(".") || "the whole";
  throw new ExternalServiceError("unavailable", service, `answered something unexpected at ${where}`);
}
