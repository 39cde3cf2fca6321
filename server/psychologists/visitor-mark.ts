import { createHmac } from "node:crypto";
import { dayOf } from "#shared/time.ts";
import { senderOf } from "../limits/sender.ts";

export type Visitor = { address: string; userAgent: string };

/**
 * Keyed hash of a visitor, stored for a day to count each visitor once.
 *
 * Its key changes daily and it differs per profile, so that visits cannot be linked across days or profiles.
 */
export function visitorMark(secret: string, psychologistId: string, visitor: Visitor, now: Date): Buffer {
  const key = createHmac("sha256", secret)
    .update(`profile-view:${dayOf(now)}`)
    .digest();
  return createHmac("sha256", key)
    .update([psychologistId.toLowerCase(), senderOf(visitor.address), visitor.userAgent].join("\n"))
    .digest();
}
