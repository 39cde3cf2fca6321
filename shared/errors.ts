/** Error codes of the product with their HTTP statuses (specification, section 8). */
export const ERRORS = {
  invalid_input: 422,
  invalid_credentials: 400,
  email_not_confirmed: 403,
  link_expired: 410,
  registration_required: 422,
  reauthentication_required: 403,
  consent_withdrawn: 403,
  second_factor_required: 403,
  second_factor_expired: 401,
  second_factor_already_enabled: 409,
  second_factor_not_set_up: 409,
  sign_in_required: 401,
  sign_in_to_vote: 401,
  sign_in_to_ask: 401,
  sign_in_to_answer: 401,
  sign_in_to_reply: 401,
  sign_in_to_subscribe: 401,
  sign_in_to_see_plans: 401,
  psychologists_only: 403,
  verification_required: 403,
  sign_in_to_upload: 401,
  sign_in_to_review: 401,
  cannot_review_self: 403,
  statistics_private: 403,
  gold_required: 403,
  psychologists_cannot_ask: 403,
  psychologists_cannot_reply: 403,
  psychologist_required: 403,
  account_not_verified: 403,
  free_answers_limit_reached: 403,
  weekly_limit_reached: 403,
  reply_limit_reached: 403,
  template_limit_reached: 403,
  cannot_vote_own_answer: 403,
  admin_only: 403,
  cross_origin_request: 403,
  not_found: 404,
  consultation_not_found: 404,
  answer_not_found: 404,
  reply_not_found: 404,
  psychologist_not_found: 404,
  gone: 410,
  checkout_not_found: 404,
  subscription_not_found: 404,
  no_rows_updated: 409,
  version_conflict: 409,
  undo_too_late: 409,
  undo_superseded: 409,
  already_subscribed: 409,
  /** The buyer has returned from another payment, which the provider does not show yet. */
  payment_confirming: 409,
  checkout_closed: 409,
  lifetime_not_cancellable: 409,
  payments_unavailable: 409,
  payment_provider_failed: 502,
  /** Only for the administrator. */
  provider_unreachable: 502,
  payment_not_found: 409,
  payment_not_eligible: 409,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  malformed_request: 400,
  payload_too_large: 413,
  unsupported_file_type: 415,
  file_too_large: 413,
  image_dimensions_too_large: 413,
  upload_failed: 503,
  photo_required: 422,
  too_many_requests: 429,
  /** Too many attempts from unknown devices for one email. */
  sign_in_paused: 429,
  server_busy: 503,
  unavailable: 503,
  /** Only in the browser: it received no response. */
  network_error: 503,
  internal_error: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERRORS;

/** Messages of fields by the input's name. */
export type FieldErrors = Record<string, string>;

/** Facts for an error's text. `until` is the ISO time of the next allowed attempt. */
export type ErrorDetails = {
  days_until_reset?: number;
  retry_after_seconds?: number;
  until?: string;
  action?: string;
};

export const retryDetails = (until: Date, now: Date): ErrorDetails => ({
  until: until.toISOString(),
  retry_after_seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
});

/** The item as it is now, when a decision about it came too late. */
export type WithVersion = { id: string; version: string };

export type ErrorBody = { code: ErrorCode; fields?: FieldErrors; details?: ErrorDetails; current?: WithVersion };

/** An error of the product. Only `server/http/errors.ts` converts it to a response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly body: ErrorBody;

  constructor(code: ErrorCode, more: Omit<ErrorBody, "code"> = {}) {
    super(code);
    this.name = "AppError";
    this.code = code;
    this.body = { code, ...more };
  }
}

/** @throws AppError with the reason, if there is one */
export function assertAllowed(reason: ErrorCode | null): asserts reason is null {
  if (reason) throw new AppError(reason);
}
