import { createHmac } from "node:crypto";
import { toIsoDay } from "#shared/time.ts";
import { clientKey } from "../limits/client-network.ts";

export type ProfileViewer = { address: string; userAgent: string };

/**
 * Keyed hash of a visitor, stored for a day to count each visitor once.
 *
 * Its key changes daily and it differs per profile, so that visits cannot be linked across days or profiles.
 */
export function viewerHash(secret: string, psychologistId: string, visitor: ProfileViewer, now: Date): Buffer {
  const key = createHmac("sha256", secret)
    .update(`profile-view:${toIsoDay(now)}`)
    .digest();
  return createHmac("sha256", key)
    .update([psychologistId, clientKey(visitor.address), visitor.userAgent].join("\n"))
    .digest();
}
