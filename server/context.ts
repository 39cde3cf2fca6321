import { writeSync } from "node:fs";
import { PgBoss } from "pg-boss";
import { type Logger, pino } from "pino";
import { type Budgets, openBudgets } from "./accounts/budgets.ts";
import { type Config, PAYPAL_API, PAYPAL_SANDBOX_API } from "./config.ts";
import { type Databases, openDatabases } from "./db.ts";
import { openJobDatabase } from "./job-database.ts";
import { MAILS_AT_ONCE } from "./jobs.ts";
import { createMercadopago, type Mercadopago } from "./outside/mercadopago.ts";
import { createPaypal, type Paypal } from "./outside/paypal.ts";
import { openSmtp } from "./outside/smtp.ts";
import { openStorage, type Storage } from "./outside/storage.ts";
import { openRateLimits, type RateLimits } from "./rate-limits.ts";

/** Sends one mail. Rejects when it could not be handed over: the job is then tried again. */
export type Mailer = { send(mail: OutgoingMail): Promise<void>; close(): void };
export type OutgoingMail = {
  to: { name: string; address: string };
  subject: string;
  text: string;
  html: string;
  /** Where a POST ends mails of this kind, for the reader's mail program (RFC 8058). */
  unsubscribe?: string;
};

/** Everything the server works with, built once. Tests override parts of it. */
export type Context = Databases & {
  config: Config;
  log: Logger;
  boss: PgBoss;
  /** The time, for every rule that needs it. */
  now(): Date;
  /** Null in the demo: mails are kept, to be read at /correo. */
  mailer: Mailer | null;
  rateLimits: RateLimits;
  /** How often passwords and codes may be tried. */
  budgets: Budgets;
  /** Photos, on disk or in an S3-compatible store. */
  storage: Storage;
  /** Null while the service is not configured. */
  paypal: Paypal | null;
  mercadopago: Mercadopago | null;
};

export type ContextOverrides = Partial<
  Pick<Context, "now" | "log" | "mailer" | "rateLimits" | "budgets" | "storage" | "paypal" | "mercadopago">
>;

/** Webhook certificates come only from PayPal; a local stand-in of PayPal brings its own. */
function openPaypal(settings: Config["paypal"]): Paypal | null {
  if (!settings) return null;
  const ofPaypal = [PAYPAL_API, PAYPAL_SANDBOX_API].includes(settings.apiBase);
  return createPaypal({
    ...settings,
    ...(ofPaypal ? {} : { certificateOrigins: [new URL(settings.apiBase).origin] }),
  });
}

/** For how long a reader of our output may hold us up. */
const OUTPUT_PATIENCE = { tries: 10, milliseconds: 10 } as const;

/**
 * Where lines of the log go. What cannot be written is lost: pino's own stream ends the process when the disk behind
 * standard output is full, and tries for ever to write the rest of it when the process ends.
 */
const standardOutput = {
  write(line: string): void {
    let rest = Buffer.from(line);
    for (let tries = 0; rest.length && tries < OUTPUT_PATIENCE.tries; )
      try {
        rest = rest.subarray(writeSync(1, rest));
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== "EAGAIN") return;
        tries++;
        Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, OUTPUT_PATIENCE.milliseconds);
      }
  },
};

/** Builds the context: opens the databases, the job queue, the mail connection. */
export async function openContext(
  config: Config,
  databaseUrl: string,
  overrides: ContextOverrides = {},
): Promise<Context> {
  // Fields are chosen where something is logged; nothing is logged whole (specification, security).
  const log = overrides.log ?? pino({ level: config.logLevel, base: null }, standardOutput);
  const lost = (error: Error) => log.warn({ event: "database_connection_lost", reason: error.message });
  const databases = openDatabases(databaseUrl, config.databaseReplicaUrl, lost);
  const jobs = openJobDatabase(databaseUrl, 4, lost);
  const boss = new PgBoss({
    db: jobs,
    migrate: false,
    createSchema: false,
    useListenNotify: true,
  });
  boss.on("error", (error) => log.warn({ event: "jobs_error", reason: error.message }));
  await boss.start();
  const mailer =
    overrides.mailer !== undefined
      ? overrides.mailer
      : config.smtpUrl
        ? openSmtp(config.smtpUrl, config.mailFrom, MAILS_AT_ONCE)
        : null;
  const now = overrides.now ?? (() => new Date());
  return {
    ...databases,
    config,
    log,
    boss,
    now,
    mailer,
    budgets: overrides.budgets ?? openBudgets(databases.db, config),
    rateLimits: overrides.rateLimits ?? openRateLimits(databases.pool, config.secret, now),
    storage: overrides.storage ?? (await openStorage(config)),
    paypal: overrides.paypal !== undefined ? overrides.paypal : openPaypal(config.paypal),
    mercadopago:
      overrides.mercadopago !== undefined
        ? overrides.mercadopago
        : config.mercadopago && createMercadopago(config.mercadopago),
    async close() {
      await boss.stop({ graceful: true, timeout: 5_000 });
      mailer?.close();
      await Promise.all([jobs.close(), databases.close()]);
    },
  };
}
