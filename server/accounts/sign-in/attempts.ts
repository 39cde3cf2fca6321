import { randomUUID } from "node:crypto";
import { AppError, retryDetails } from "#shared/errors.ts";
import type { AttemptSource, Credential } from "../../limits/attempt-limits.ts";
import { queueMail } from "../../mail/queues.ts";
import type { RequestContext } from "../../sessions/request-context.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import { hashToken, linkToken } from "../../tokens.ts";
import { insertDeviceLink } from "./store.ts";

/**
 * Counts an attempt, or refuses it without counting or comparing.
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
  const { db, boss, config, attemptLimits } = context;
  const now = context.now();
  const refused = await attemptLimits.tryAttempt(credential, source, now);
  if (!refused) return;
  if (refused.unknownDevice && "email" in source)
    await db.transaction().execute(async (tx) => {
      if (!(await attemptLimits.claimPausedMail(tx, credential, source.email, now))) return;
      const id = randomUUID();
      await insertDeviceLink(tx, {
        id,
        email: source.email,
        token_hash: hashToken(linkToken(config.secret, "known_device", id)),
        expires_at: new Date(now.getTime() + LIFETIMES.deviceLink),
      });
      await queueMail(boss, tx, { kind: "sign_in_paused", link_id: id });
    });
  const details = retryDetails(refused.until, now);
  throw new AppError(refused.unknownDevice ? "sign_in_paused" : "too_many_requests", { details });
}
