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
  second_factor_on: 409,
  second_factor_not_begun: 409,
  sign_in_required: 401,
  sign_in_to_vote: 401,
  sign_in_to_ask: 401,
  sign_in_to_answer: 401,
  sign_in_to_reply: 401,
  sign_in_to_subscribe: 401,
  signed_out_on_plans: 401,
  psychologists_only: 403,
  subscribe_not_verified: 403,
  sign_in_to_upload: 401,
  sign_in_to_review: 401,
  own_review: 403,
  review_not_sent: 503,
  profile_not_loaded: 503,
  consultation_not_loaded: 503,
  consultations_not_loaded: 503,
  psychologists_not_loaded: 503,
  pending_psychologists_not_loaded: 503,
  messages_not_loaded: 503,
  memberships_not_loaded: 503,
  help_lines_not_loaded: 503,
  consultation_not_created: 503,
  consultation_not_deleted: 503,
  vote_not_recorded: 503,
  answer_not_sent: 503,
  psychologist_state_not_read: 503,
  verification_not_updated: 503,
  subscription_not_cancelled: 503,
  own_statistics_only: 403,
  statistics_need_gold: 403,
  psychologists_cannot_ask: 403,
  psychologists_cannot_reply: 403,
  only_psychologists_answer: 403,
  not_verified: 403,
  free_limit_reached: 403,
  weekly_limit_reached: 403,
  reply_limit_reached: 403,
  own_answer_vote: 403,
  admin_only: 403,
  foreign_origin: 403,
  not_found: 404,
  consultation_not_found: 404,
  answer_not_found: 404,
  reply_not_found: 404,
  psychologist_not_found: 404,
  gone: 410,
  /** The answered or edited item was deleted while the user wrote. */
  consultation_gone_meanwhile: 410,
  gone_meanwhile: 410,
  checkout_not_found: 404,
  subscription_not_found: 404,
  nothing_updated: 409,
  changed_meanwhile: 409,
  undo_too_late: 409,
  undo_superseded: 409,
  already_subscribed: 409,
  /** The buyer has returned from another payment, which the provider does not show yet. */
  payment_confirming: 409,
  checkout_closed: 409,
  lifetime_not_cancelled: 409,
  payments_unavailable: 409,
  payment_provider_failed: 502,
  /** Only for the administrator. */
  provider_unreachable: 502,
  payment_not_known: 409,
  payment_gives_no_gold: 409,
  method_not_allowed: 405,
  unsupported_media_type: 415,
  malformed_request: 400,
  payload_too_large: 413,
  file_type_refused: 415,
  file_too_large: 413,
  image_too_many_pixels: 413,
  upload_failed: 503,
  photo_required: 422,
  changes_not_saved: 503,
  too_many_requests: 429,
  /** Too many attempts from unknown devices for one email. */
  sign_in_paused: 429,
  busy: 503,
  unavailable: 503,
  /** Only in the browser: it received no response. */
  unreachable: 503,
  unexpected: 500,
} as const satisfies Record<string, number>;

export type ErrorCode = keyof typeof ERRORS;

/** Messages of fields by the input's name. */
export type FieldErrors = Record<string, string>;

/**
 * Facts for an error's text: whole days until the weekly limit resets, seconds until a retry, the ISO time of the next
 * allowed attempt, the limited action, and the changed fields.
 */
export type ErrorDetails = {
  days_until_reset?: number;
  retry_after_seconds?: number;
  until?: string;
  action?: string;
  changed?: string[];
};

/** Returns when a request may be repeated: its time and the whole seconds until then, at least 1. */
export const retryDetails = (until: Date, now: Date): ErrorDetails => ({
  until: until.toISOString(),
  retry_after_seconds: Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1000)),
});

/** Current view of the item of a decision, with its version. */
export type WithVersion = { id: string; version: string };

/** An error of the product. Only `server/http/errors.ts` converts it to a response. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly fields: FieldErrors | undefined;
  readonly details: ErrorDetails | undefined;
  readonly current: WithVersion | undefined;

  constructor(code: ErrorCode, more: { fields?: FieldErrors; details?: ErrorDetails; current?: WithVersion } = {}) {
    super(code);
    this.name = "AppError";
    this.code = code;
    this.fields = more.fields;
    this.details = more.details;
    this.current = more.current;
  }
}

/**
 * Throws a rule's reason, if there is one.
 * @throws AppError
 */
export function assertAllowed(reason: ErrorCode | null): asserts reason is null {
  if (reason) throw new AppError(reason);
}

export type ErrorBody = { code: ErrorCode; fields?: FieldErrors; details?: ErrorDetails; current?: WithVersion };
