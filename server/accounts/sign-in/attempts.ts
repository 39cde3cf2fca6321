import { AppError, retryDetails } from "#shared/errors.ts";
import { toIsoDay } from "#shared/time.ts";
import { once } from "../../limits/presses-store.ts";
import type { Credential } from "../../limits/rate-limit-rules.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { pressMark } from "../../tokens.ts";
import { queueLink } from "../mailed-link-store.ts";

/** Source of an attempt: a known device, a session, or any other browser with a typed email. */
type AttemptSource = { device: string } | { email: string };

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
  const until = await context.rateLimits.trySpend(credential, source);
  if (!until) return;
  const now = context.now();
  const details = retryDetails(until, now);
  if (!("email" in source)) throw new AppError("too_many_requests", { details });
  const { db, config } = context;
  const mark = pressMark(config.secret, "sign_in_paused", null, [source, toIsoDay(now)]);
  await once(db, { mark, refused: null, at: now }, (tx) => queueLink(tx, context, "known_device", source.email));
  throw new AppError("sign_in_paused", { details });
}
