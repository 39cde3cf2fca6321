import { createHmac } from "node:crypto";
import { toIsoDay } from "#shared/time.ts";
import type { Config } from "../config.ts";
import type { Db, Tx } from "../database/handles.ts";
import { ATTEMPT_LIMITS, attemptWindow } from "./attempt-limit-rules.ts";
import {
  claimPausedMail,
  countKnownDeviceAttempt,
  countUnknownDeviceAttempt,
  deleteKnownDeviceAttempts,
} from "./store.ts";

/** Source of an attempt: a known device, a session, or any other browser with a typed email. */
export type AttemptSource = { device: Buffer } | { session: string } | { email: string };

/** Passwords and codes have separate counts. */
export type Credential = "password" | "code";

type RefusedAttempt = { until: Date; unknownDevice: boolean };

/** Limits of password and code attempts. Counted only in the database, because without it none can be compared. */
export type AttemptLimits = {
  /** Counts an attempt before the comparison, so that concurrent attempts get no more than sequential ones. */
  tryAttempt(credential: Credential, source: AttemptSource, now: Date): Promise<RefusedAttempt | null>;
  /**
   * Resets the attempts of a known device or a session after a right one. Shared attempts of unknown devices stay
   * counted.
   */
  reset(credential: Credential, source: AttemptSource): Promise<void>;
  /**
   * Claims the mail about reaching this limit.
   * @returns true once per day and email
   */
  claimPausedMail(tx: Tx, credential: Credential, email: string, now: Date): Promise<boolean>;
};

/** Opens the limits of signing in (specification, section 2, "Account"). */
export function openAttemptLimits(db: Db, { secret }: Pick<Config, "secret">): AttemptLimits {
  const digest = (text: string) => createHmac("sha256", secret).update(`attempts:${text}`).digest();
  const ownKey = (credential: Credential, source: { device: Buffer } | { session: string }) =>
    digest(
      "device" in source
        ? `${credential}:device:${source.device.toString("hex")}`
        : `${credential}:session:${source.session}`,
    );
  const unknownDevicesKey = (credential: Credential, email: string) =>
    digest(`${credential}:strangers:${email.toLowerCase()}`);
  /** Differs per window and email, so that a refusal does not reveal other users' attempts. */
  const threshold = (credential: Credential, email: string, kind: "hour" | "day", start: Date) =>
    ATTEMPT_LIMITS.unknownDevices[kind].base +
    (digest(`threshold:${credential}:${kind}:${start.toISOString()}:${email.toLowerCase()}`).readUInt32BE() %
      ATTEMPT_LIMITS.unknownDevices[kind].jitter);

  return {
    async tryAttempt(credential, source, now) {
      if (!("email" in source)) {
        const waitUntil = await countKnownDeviceAttempt(db, ownKey(credential, source), now, ATTEMPT_LIMITS.own);
        return waitUntil && { until: waitUntil, unknownDevice: false };
      }
      const window = attemptWindow(now);
      const limits = {
        hour: threshold(credential, source.email, "hour", window.hour),
        day: threshold(credential, source.email, "day", window.day),
      };
      const full = await countUnknownDeviceAttempt(db, unknownDevicesKey(credential, source.email), window, limits);
      return full && { until: full === "day" ? window.dayEnds : window.hourEnds, unknownDevice: true };
    },
    async reset(credential, source) {
      if (!("email" in source)) await deleteKnownDeviceAttempts(db, ownKey(credential, source));
    },
    claimPausedMail: (tx, credential, email, now) =>
      claimPausedMail(tx, unknownDevicesKey(credential, email), toIsoDay(now)),
  };
}
