import { createHmac } from "node:crypto";
import { senderOf } from "../rate-limits.ts";
import { dayOf } from "./rules.ts";

export type Visitor = { address: string; userAgent: string };

/**
 * What is kept of a visitor for a day, to count them once: a mark that leads back to nobody. Its key changes daily, so
 * that two days cannot be joined, and it differs by profile, so that nobody can be followed from one to another.
 */
export function visitorMark(secret: string, psychologistId: string, visitor: Visitor, now: Date): Buffer {
  const key = createHmac("sha256", secret)
    .update(`profile-view:${dayOf(now)}`)
    .digest();
  return createHmac("sha256", key)
    .update([psychologistId.toLowerCase(), senderOf(visitor.address), visitor.userAgent].join("\n"))
    .digest();
}
