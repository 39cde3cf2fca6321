import { PgBoss } from "pg-boss";
import type { Logger } from "pino";
import type { Config } from "./config.ts";
import { logOutage } from "./database/faults.ts";
import { type Databases, openDatabases, openPool, poolSizes } from "./database/handles.ts";
import type { PaymentProviders } from "./integrations/payment-provider.ts";
import { type Mailer, openSmtp } from "./integrations/smtp.ts";
import { openStorage, type Storage } from "./integrations/storage.ts";
import { openRateLimits, type RateLimits } from "./limits/rate-limits.ts";
import { openLog } from "./log.ts";
import { openPaymentProviders } from "./memberships/providers/registry.ts";
import { RUNS_JOBS } from "./processes.ts";

/** Dependencies of the server, built once. Tests override some of them. */
export type Context = Databases & {
  config: Config;
  log: Logger;
  boss: PgBoss;
  now(): Date;
  /** Null without SMTP_URL: mails are stored and shown at /correo. */
  mailer: Mailer | null;
  rateLimits: RateLimits;
  /** Photos on disk or in an S3-compatible storage. */
  storage: Storage;
  paymentProviders: PaymentProviders;
};

export type ContextOverrides = Partial<
  Pick<Context, "now" | "log" | "mailer" | "rateLimits" | "storage" | "paymentProviders">
>;

/** Opens the databases, the job queue and the mail connection. */
export async function openContext(
  config: Config,
  databaseUrl: string,
  overrides: ContextOverrides = {},
): Promise<Context> {
  const log = overrides.log ?? openLog(config);
  const lost = (error: Error) => logOutage(log, "database_connection_lost", error);
  const sizes = await poolSizes(databaseUrl, config.pooler !== null);
  const databases = openDatabases(databaseUrl, lost, sizes, config, (event, reason) =>
    log[reason ? "warn" : "info"]({ event, reason }),
  );
  const jobs = openPool(databaseUrl, "divan-jobs", sizes.jobs, lost, config.pooler ? null : {});
  const boss = new PgBoss({
    db: { executeSql: (text, values) => jobs.query(text, values as unknown[]) },
    migrate: false,
    createSchema: false,
    supervise: RUNS_JOBS,
    schedule: RUNS_JOBS,
  });
  boss.on("error", (error) => logOutage(log, "jobs_error", error));
  await boss.start();
  const mailer =
    overrides.mailer !== undefined
      ? overrides.mailer
      : config.smtpUrl
        ? openSmtp(config.smtpUrl, config.mailFrom)
        : null;
  const now = overrides.now ?? (() => new Date());
  return {
    ...databases,
    config,
    log,
    boss,
    now,
    mailer,
    rateLimits: overrides.rateLimits ?? openRateLimits(databases.pool, config.secret, now),
    storage: overrides.storage ?? (await openStorage(config)),
    paymentProviders: overrides.paymentProviders ?? openPaymentProviders(config),
    async close() {
      await boss.stop({ graceful: true, timeout: 5_000 });
      mailer?.close();
      await Promise.all([jobs.end(), databases.close()]);
    },
  };
}
