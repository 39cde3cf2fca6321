import type { Logger } from "pino";

/**
 * A call to a payment provider failed.
 * - `unavailable`: no response, 408, 429 or 5xx. The call may have had an effect; retry later.
 * - `unreadable`: the response is invalid. The call may have had an effect.
 * - `refused`: another 4xx. The call had no effect.
 *
 * Contains only codes and numbers, so that it can be logged: sentences of providers may quote a user.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: "unavailable" | "unreadable" | "refused";
  readonly provider: string;
  /** Status of the HTTP response, or null without a response. */
  readonly status: number | null;
  /** The provider's own code, such as "SUBSCRIPTION_STATUS_INVALID". */
  readonly reason: string | null;
  /** Id by which the provider's support finds the call. */
  readonly debugId: string | null;
  /** Requested pause before the next call, in milliseconds, or null. */
  readonly retryAfterMs: number | null;

  constructor(
    kind: ProviderError["kind"],
    provider: string,
    what: string,
    {
      status = null,
      reason = null,
      debugId = null,
      retryAfterMs = null,
    }: Partial<Pick<ProviderError, "status" | "reason" | "debugId" | "retryAfterMs">> = {},
  ) {
    const details = [status, reason, debugId && `debug id ${debugId}`].filter(Boolean).join(", ");
    super(`${provider}: ${what}${details ? ` (${details})` : ""}`);
    this.kind = kind;
    this.provider = provider;
    this.status = status;
    this.reason = reason;
    this.debugId = debugId;
    this.retryAfterMs = retryAfterMs;
  }
}

/** Resolves with the call's result, or null if the provider responds 404. */
export async function nullOn404<Body>(call: Promise<Body>): Promise<Body | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}

/** True if a failed call does not depend on the requested id: an outage, or refused credentials. */
export const isOutage = ({ kind, status }: ProviderError): boolean => kind === "unavailable" || status === 401;

/**
 * Logs a failed call: only codes, and the call's id for the provider's support.
 * @throws the error if it is not a provider's
 */
export function logProviderError(
  log: Logger,
  event: string,
  error: unknown,
  more: object = {},
): asserts error is ProviderError {
  if (!(error instanceof ProviderError)) throw error;
  const { kind, provider, status, reason, debugId } = error;
  log.warn({ event, ...more, provider, kind, status, reason, debug_id: debugId });
}
