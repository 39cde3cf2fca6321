import type { ErrorCode } from "#shared/errors.ts";
import { HOUR } from "#shared/time.ts";

/** How long a shown secret may wait for its first code, in milliseconds: installing an application takes a while. */
const SETUP_LIFETIME = HOUR;

type Factor = { created_at: Date; confirmed_at: Date | null };

/** Whether a secret waits for its first code. */
export const isBeingSetUp = (factor: Factor | undefined, now: Date): boolean =>
  factor !== undefined && factor.confirmed_at === null && now.getTime() - factor.created_at.getTime() < SETUP_LIFETIME;

/** Why a code cannot complete the setup, or null. */
export function whyCannotConfirm(factor: Factor | undefined, now: Date): ErrorCode | null {
  if (factor?.confirmed_at) return "second_factor_on";
  return isBeingSetUp(factor, now) ? null : "second_factor_not_begun";
}

/** What was typed, as the six digits of an application, or null: then it may be a recovery code. */
export const digitsOf = (typed: string): string | null => {
  const bare = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(bare) ? bare : null;
};
