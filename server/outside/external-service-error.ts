/**
 * An outside service did not do what it was asked.
 * - `unavailable`: no answer, a broken one, 408, 429 or 5xx. Nobody knows whether it acted: ask again later.
 * - `refused`: it answered with another 4xx and did nothing.
 * Carries codes and numbers alone, so that it can be logged: what services write in sentences may quote a person.
 */
export class ExternalServiceError extends Error {
  override readonly name = "ExternalServiceError";
  readonly kind: "unavailable" | "refused";
  readonly service: string;
  /** Of the HTTP answer; null when there was none. */
  readonly status: number | null;
  /** The service's own code, such as "SUBSCRIPTION_STATUS_INVALID". */
  readonly reason: string | null;
  /** Under which number the service's support finds the call. */
  readonly debugId: string | null;

  constructor(
    kind: ExternalServiceError["kind"],
    service: string,
    what: string,
    {
      status = null,
      reason = null,
      debugId = null,
    }: Partial<Pick<ExternalServiceError, "status" | "reason" | "debugId">> = {},
  ) {
    const details = [status, reason, debugId && `debug id ${debugId}`].filter(Boolean).join(", ");
    super(`${service}: ${what}${details ? ` (${details})` : ""}`);
    this.kind = kind;
    this.service = service;
    this.status = status;
    this.reason = reason;
    this.debugId = debugId;
  }
}

/** The answer, or null where the service knows no such thing (404). */
export async function orNull<Answer>(answer: Promise<Answer>): Promise<Answer | null> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof ExternalServiceError && error.status === 404) return null;
    throw error;
  }
}
