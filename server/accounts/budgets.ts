import { createHmac, randomUUID } from "node:crypto";
import { AppError } from "#shared/errors.ts";
import type { Config } from "../config.ts";
import type { Db, Tx } from "../db.ts";
import { queueMail } from "../jobs.ts";
import { dayOf } from "../psychologists/rules.ts";
import type { Request } from "../request.ts";
import { BUDGETS, LIFETIMES, strangersWindow } from "./rules.ts";
import {
  claimStrangersMail,
  dropOwnAttempts,
  insertDeviceLink,
  takeOwnAttempt,
  takeStrangersAttempt,
} from "./store.ts";
import { hashToken, linkToken } from "./tokens.ts";

/** Who tries: a browser that the account knows, a session, or any other browser at a typed address. */
export type Trier = { device: Buffer } | { session: string } | { email: string };
/** Passwords and codes are counted apart. */
export type Tried = "password" | "code";
export type Refused = { until: Date; strangers: boolean };

/** How often passwords and codes may be tried. Counted in the database, since without it none can be compared. */
export type Budgets = {
  /** Counts one attempt before anything is compared, so that many at once are no more than many in turn. */
  take(tried: Tried, trier: Trier, now: Date): Promise<Refused | null>;
  /** It was right: what a known browser or a session had used is forgotten. What strangers share stays used. */
  giveBack(tried: Tried, trier: Trier): Promise<void>;
  /** Whether the mail about this overflow is still to be sent today: true once a day and address. */
  claimMail(tx: Tx, tried: Tried, email: string, now: Date): Promise<boolean>;
};

/** The budgets of signing in (specification, section 2, "Account"). */
export function openBudgets(db: Db, { secret }: Pick<Config, "secret">): Budgets {
  const digest = (text: string) => createHmac("sha256", secret).update(`attempts:${text}`).digest();
  const ownKey = (tried: Tried, trier: { device: Buffer } | { session: string }) =>
    digest("device" in trier ? `${tried}:device:${trier.device.toString("hex")}` : `${tried}:session:${trier.session}`);
  const strangersKey = (tried: Tried, email: string) => digest(`${tried}:strangers:${email.toLowerCase()}`);
  /** Another one in each window, for each address: how many others have tried cannot be told from being refused. */
  const threshold = (tried: Tried, email: string, kind: "hour" | "day", start: Date) =>
    BUDGETS.strangers[kind].base +
    (digest(`threshold:${tried}:${kind}:${start.toISOString()}:${email.toLowerCase()}`).readUInt32BE() %
      BUDGETS.strangers[kind].spread);

  return {
    async take(tried, trier, now) {
      if (!("email" in trier)) {
        const { waitUntil } = await takeOwnAttempt(db, ownKey(tried, trier), now, BUDGETS.own);
        return waitUntil && { until: waitUntil, strangers: false };
      }
      const window = strangersWindow(now);
      const limits = {
        hour: threshold(tried, trier.email, "hour", window.hour),
        day: threshold(tried, trier.email, "day", window.day),
      };
      const full = await takeStrangersAttempt(db, strangersKey(tried, trier.email), window, limits);
      return full && { until: full === "day" ? window.dayEnds : window.hourEnds, strangers: true };
    },
    async giveBack(tried, trier) {
      if (!("email" in trier)) await dropOwnAttempts(db, ownKey(tried, trier));
    },
    claimMail: (tx, tried, email, now) => claimStrangersMail(tx, strangersKey(tried, email), dayOf(now)),
  };
}

/**
 * Counts an attempt, or refuses it: then nothing is counted and nothing compared. The first time in a day that strangers
 * have used their budget up, a mail lets the owner make a browser known; only the job that writes it looks for an account.
 * @throws AppError sign_in_paused for strangers, too_many_requests for a known browser or a session; both say until when
 */
export async function countAttempt({ context }: Request, tried: Tried, trier: Trier): Promise<void> {
  const { db, boss, config, budgets } = context;
  const now = context.now();
  const refused = await budgets.take(tried, trier, now);
  if (!refused) return;
  if (refused.strangers && "email" in trier)
    await db.transaction().execute(async (tx) => {
      if (!(await budgets.claimMail(tx, tried, trier.email, now))) return;
      const id = randomUUID();
      await insertDeviceLink(tx, {
        id,
        email: trier.email,
        token_hash: hashToken(linkToken(config.secret, "known_device", id)),
        expires_at: new Date(now.getTime() + LIFETIMES.deviceLink),
      });
      await queueMail(boss, tx, { kind: "sign_in_paused", link_id: id });
    });
  const retry_after_seconds = Math.max(1, Math.ceil((refused.until.getTime() - now.getTime()) / 1000));
  throw new AppError(refused.strangers ? "sign_in_paused" : "too_many_requests", {
    facts: { retry_after_seconds, until: refused.until.toISOString() },
  });
}
