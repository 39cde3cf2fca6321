import { AppError, retryDetails } from "#shared/errors.ts";
import { toIsoDay } from "#shared/time.ts";
import { once } from "../../limits/presses.ts";
import type { Credential } from "../../limits/rate-limit-rules.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { pressMark } from "../../tokens.ts";
import { queueLink } from "../mailed-link-store.ts";

/** Source of an attempt: a known device, a session, or any other browser with a typed email. */
export type AttemptSource = { device: string } | { email: string };

const subjectOf = (source: AttemptSource) => ("email" in source ? { email: source.email.toLowerCase() } : source);

/**
 * Counts an attempt before the comparison, so that concurrent attempts get no more than sequential ones. Refuses it
 * without counting or comparing.
 *
 * When unknown devices first reach their limit in a day, a mail lets the owner make a browser known. Only the job that
 * writes the mail looks up the account.
 * @throws AppError sign_in_paused for unknown devices, with the time until which it lasts
 * @throws AppError too_many_requests for a known device or a session, with the time until which it lasts
 */
export async function countAttempt(
  { context }: RequestContext,
  credential: Credential,
  source: AttemptSource,
): Promise<void> {
  const until = await context.rateLimits.trySpend(credential, subjectOf(source));
  if (!until) return;
  const now = context.now();
  const details = retryDetails(until, now);
  if (!("email" in source)) throw new AppError("too_many_requests", { details });
  const { db, config } = context;
  const mark = pressMark(config.secret, "sign_in_paused", null, [subjectOf(source), toIsoDay(now)]);
  await once(db, { mark, refused: null, at: now }, (tx) => queueLink(tx, context, "known_device", source.email));
  throw new AppError("sign_in_paused", { details });
}

/** Resets the attempts of a known device or a session after a right one. Those of unknown devices stay counted. */
export async function resetAttempts({ context }: RequestContext, credential: Credential, source: AttemptSource) {
  if (!("email" in source)) await context.rateLimits.reset(credential, source);
}
