import type { z } from "zod";
import { ProviderError } from "./provider-error.ts";

/** Long enough for a provider on a slow day, short enough for a user who waits. */
const TIMEOUT_MS = 10_000;

export type Fetch = typeof globalThis.fetch;
export type JsonCall = {
  query?: Record<string, string>;
  headers?: Record<string, string>;
  /** Sent as JSON; a string is sent as it is. */
  body?: unknown;
};

const requestOf = (method: string, { headers, body }: JsonCall, timeoutMs: number): RequestInit => ({
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

/** What a text holds as JSON; null when it is empty, undefined when it is not JSON. */
function parsed(text: string): unknown {
  if (!text) return null;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a refused call may succeed later. */
const isTransientStatus = (status: number) => status >= 500 || status === 429 || status === 408;

/**
 * Opens JSON calls to one provider. Redirects are not followed: our credentials go only to its own address.
 * @param reasonOf finds the provider's error code in the body of a refusal
 * @returns a function that resolves with the body of a 2xx response, or null when it is empty
 * @throws ProviderError
 */
export function openJsonCalls(
  provider: string,
  apiBase: string,
  debugHeader: string,
  reasonOf: (body: unknown) => unknown,
  fetch: Fetch = globalThis.fetch,
  timeoutMs = TIMEOUT_MS,
) {
  const base = apiBase.replace(/\/+$/, "");
  return async (method: string, path: string, call: JsonCall = {}): Promise<unknown> => {
    const what = `${method} ${path}`;
    const query = call.query ? `?${new URLSearchParams(call.query)}` : "";
    let response: Response;
    let text: string;
    try {
      response = await fetch(`${base}${path}${query}`, requestOf(method, call, timeoutMs));
      text = await response.text();
    } catch (error) {
      const timedOut = (error as Error).name === "TimeoutError";
      throw new ProviderError("unavailable", provider, `${what} got ${timedOut ? "no answer in time" : "no answer"}`);
    }
    const { ok, status } = response;
    const debugId = /^[\w-]{1,64}$/.exec(response.headers.get(debugHeader) ?? "")?.[0] ?? null;
    const body = parsed(text);
    if (ok && body === undefined)
      throw new ProviderError("unavailable", provider, `${what} was answered unreadably`, { status, debugId });
    if (ok) return body;
    // Only codes: a sentence may quote what a person wrote.
    const reason = /^[\w.-]{1,80}$/.exec(String(reasonOf(body ?? null) ?? ""))?.[0] ?? null;
    const kind = isTransientStatus(status) ? "unavailable" : "refused";
    throw new ProviderError(kind, provider, what, { status, reason, debugId });
  };
}

/** Validates the response of a provider. @throws ProviderError unavailable when it has another shape */
export function readResponse<Schema extends z.ZodType>(
  provider: string,
  schema: Schema,
  body: unknown,
): z.output<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const where = parsed.error.issues[0]!.path.join(".") || "the whole";
  throw new ProviderError("unavailable", provider, `answered something unexpected at ${where}`);
}
