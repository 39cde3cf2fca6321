/**
 * A call to a payment provider failed.
 * - `unavailable`: no response, 408, 429 or 5xx. Whether it acted is unknown: try again later.
 * - `unreadable`: it answered with something that we do not understand. Whether it acted is unknown.
 * - `refused`: it answered with another 4xx and did nothing.
 * Holds only codes and numbers, so that it can be logged: what providers write in sentences may quote a person.
 */
export class ProviderError extends Error {
  override readonly name = "ProviderError";
  readonly kind: "unavailable" | "unreadable" | "refused";
  readonly provider: string;
  /** Of the HTTP response; null when there was none. */
  readonly status: number | null;
  /** The provider's own code, such as "SUBSCRIPTION_STATUS_INVALID". */
  readonly reason: string | null;
  /** The number under which the provider's support finds the call. */
  readonly debugId: string | null;
  /** How long the provider asks not to be called, in milliseconds; null where it does not say. */
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

/** What a call resolves with, or null where the provider responds with 404. */
export async function orNull<Body>(call: Promise<Body>): Promise<Body | null> {
  try {
    return await call;
  } catch (error) {
    if (error instanceof ProviderError && error.status === 404) return null;
    throw error;
  }
}

/**
 * The fields of a failed call that may be logged: codes and the call's number for the provider's support, nothing about
 * a person.
 */
export const loggableError = ({ kind, provider, status, reason, debugId }: ProviderError) => ({
  provider,
  kind,
  status,
  reason,
  debug_id: debugId,
});
