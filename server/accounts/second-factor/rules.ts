import type { ErrorCode } from "#shared/errors.ts";
import { HOUR } from "#shared/time.ts";

/** Time in which a shown secret must get its first code, in milliseconds. The user may first install an application. */
const SETUP_LIFETIME = HOUR;

type Factor = { created_at: Date; confirmed_at: Date | null };

/** True if a secret waits for its first code. */
export const isSetupPending = (factor: Factor | undefined, now: Date): boolean =>
  factor !== undefined && factor.confirmed_at === null && now.getTime() - factor.created_at.getTime() < SETUP_LIFETIME;

/** Returns why a code cannot complete the setup, or null. */
export function whyCannotConfirm(factor: Factor | undefined, now: Date): ErrorCode | null {
  if (factor?.confirmed_at) return "second_factor_already_enabled";
  return isSetupPending(factor, now) ? null : "second_factor_not_set_up";
}

/** Returns the typed text as six digits, or null if it may be a recovery code. */
export const totpDigits = (typed: string): string | null => {
  const bare = typed.replace(/\s/g, "");
  return /^\d{6}$/.test(bare) ? bare : null;
};
