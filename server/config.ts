import { randomBytes } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import { z } from "zod";
import { normalizeEmail } from "#shared/normalize-email.ts";

/** Settings from the environment, checked once at the start. */
export type Config = ReturnType<typeof readConfig>;

/** Largest number of mails that this node sends at once. It has as many connections, which the mail workers share. */
export const MAILS_AT_ONCE = 30;

/** Origins of the payment providers: PayPal's API and its script, then MercadoPago's. */
const PAYPAL_API = "https://api-m.paypal.com";
export const PAYPAL_SDK = "https://www.paypal.com";
const MERCADOPAGO_API = "https://api.mercadopago.com";

/** A missing or invalid setting. The start prints only its message, which names the setting. */
export class ConfigError extends Error {}

const url = (...protocols: string[]) =>
  z.url({
    protocol: new RegExp(`^(${protocols.join("|")})$`),
    error: `must be a URL that begins with ${protocols.map((protocol) => `${protocol}://`).join(" or ")}`,
  });

/** URL that receives secrets. Plain http is only for this machine, where the fakes of tests and development run. */
const providerUrl = z
  .string()
  .refine((value) => {
    const parsed = URL.parse(value);
    if (!parsed || parsed.username || parsed.password || parsed.search || parsed.hash) return false;
    return (
      parsed.protocol === "https:" ||
      (parsed.protocol === "http:" && /^(localhost|127\.0\.0\.1|\[::1\])$/.test(parsed.hostname))
    );
  }, "must be a URL that begins with https:// (http:// only for this machine)")
  .transform((value) => value.replace(/\/+$/, ""));
/** Credential of a payment provider, valid in a header. */
const credential = z.string().regex(/^[\x21-\x7e]+$/, "must be one word, as shown by the provider");

const mail = z.string().transform((typed, context) => {
  const { address } = normalizeEmail(typed);
  if (address !== null) return address;
  context.addIssue({ code: "custom", message: "must be an email such as name@example.com" });
  return z.NEVER;
});

export const Environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, "must be a port number")
    .transform(Number)
    .refine((port) => port <= 65535, "must be a port number")
    .default(3000),
  HOST: z.string().optional(),
  WORKERS: z
    .string()
    .regex(/^[1-9]\d?$/, "must be a number from 1 to 99")
    .transform(Number)
    .default(() => Math.min(availableParallelism(), 4)),
  DATA_DIR: z.string().default("./data"),
  PUBLIC_URL: url("http", "https").optional(),
  DATABASE_URL: url("postgres", "postgresql").optional(),
  DATABASE_DIRECT_URL: url("postgres", "postgresql").optional(),
  DATABASE_PUBLIC_URL: url("postgres", "postgresql").optional(),
  DATABASE_REPLICA_URL: url("postgres", "postgresql").optional(),
  ADMIN_EMAIL: mail.optional(),
  SMTP_URL: url("smtp", "smtps").optional(),
  MAIL_FROM: mail.optional(),
  DEMO: z.enum(["on", "off"], "must be on or off").optional(),
  APP_SECRET: z.string().min(32, "must have at least 32 characters").optional(),
  TRUSTED_PROXIES: z
    .string()
    .default("")
    .transform((list) => list.split(/[\s,]+/).filter(Boolean))
    .refine((ips) => ips.every(isIP), "must be IPs separated by commas"),
  DONATION_URL: url("https").optional(),
  PUSH_TEST_ORIGIN: providerUrl.nullable().default(null),
  STORAGE_URL: z
    .string()
    .refine((value) => {
      const parsed = URL.parse(value);
      return parsed?.protocol === "s3:" && parsed.username && parsed.password && /^\/[\w.-]+\/?$/.test(parsed.pathname);
    }, "must look like s3://key:secret@host/bucket?region=eu-west-1")
    .optional(),
  PAYPAL_CLIENT_ID: credential.optional(),
  PAYPAL_CLIENT_SECRET: credential.optional(),
  PAYPAL_WEBHOOK_ID: credential.optional(),
  PAYPAL_PLAN_MONTHLY: credential.optional(),
  PAYPAL_PLAN_LIFETIME: credential.optional(),
  PAYPAL_API_BASE: providerUrl.default(PAYPAL_API),
  PAYPAL_SDK_BASE: providerUrl.default(PAYPAL_SDK),
  MERCADOPAGO_ACCESS_TOKEN: credential.optional(),
  MERCADOPAGO_WEBHOOK_SECRET: credential.optional(),
  MERCADOPAGO_API_BASE: providerUrl.default(MERCADOPAGO_API),
  LOG_LEVEL: z
    .enum(["debug", "info", "warn", "error", "silent"], "must be debug, info, warn, error or silent")
    .default("info"),
});

/**
 * Returns the secret of this installation. Generates it once and stores it with its data. Only the demo may run without
 * a configured secret.
 */
function storedSecret(dataDir: string): string {
  const file = join(dataDir, "secret");
  if (!existsSync(file)) {
    mkdirSync(dataDir, { recursive: true });
    writeFileSync(file, randomBytes(32).toString("base64url"), { mode: 0o600 });
  }
  return readFileSync(file, "utf8").trim();
}

type Environment = z.output<typeof Environment>;

/**
 * Returns the values of variables that belong together, or null if none is set.
 * @throws ConfigError if only some are set
 */
function groupOrNone<Name extends keyof Environment>(env: Environment, service: string, names: readonly Name[]) {
  const missing = names.filter((name) => env[name] === undefined);
  if (missing.length === names.length) return null;
  if (missing.length) throw new ConfigError(`${missing[0]} is missing. ${service} needs ${names.join(", ")}, or none.`);
  return env as Environment & { [Key in Name]-?: NonNullable<Environment[Key]> };
}

function poolerSettings(env: Environment) {
  const { DATABASE_URL: url, DATABASE_DIRECT_URL: direct, DATABASE_PUBLIC_URL: read } = env;
  if ((!direct || direct === url) && !read) return null;
  const given = groupOrNone(env, "A pooler", ["DATABASE_URL", "DATABASE_DIRECT_URL", "DATABASE_PUBLIC_URL"])!;
  if (direct === url)
    throw new ConfigError("DATABASE_DIRECT_URL must differ from DATABASE_URL if DATABASE_PUBLIC_URL is set.");
  return {
    /** PostgreSQL itself, for migrations and LISTEN, which need a session. */
    directUrl: given.DATABASE_DIRECT_URL,
    /** Pooler for public reads, with a user who has no other rights. */
    publicUrl: given.DATABASE_PUBLIC_URL,
  };
}

function paypalSettings(env: Environment) {
  const given = groupOrNone(env, "PayPal", [
    "PAYPAL_CLIENT_ID",
    "PAYPAL_CLIENT_SECRET",
    "PAYPAL_WEBHOOK_ID",
    "PAYPAL_PLAN_MONTHLY",
    "PAYPAL_PLAN_LIFETIME",
  ]);
  if (!given) return null;
  // The plan id of a payment identifies the bought plan.
  if (given.PAYPAL_PLAN_MONTHLY === given.PAYPAL_PLAN_LIFETIME)
    throw new ConfigError("PAYPAL_PLAN_LIFETIME must be another plan than PAYPAL_PLAN_MONTHLY.");
  return {
    apiBase: given.PAYPAL_API_BASE,
    /** Origin from which browsers load PayPal's button. */
    sdkBase: given.PAYPAL_SDK_BASE,
    clientId: given.PAYPAL_CLIENT_ID,
    clientSecret: given.PAYPAL_CLIENT_SECRET,
    webhookId: given.PAYPAL_WEBHOOK_ID,
    /** Ids of the plans at PayPal ("P-..."). */
    plans: { monthly: given.PAYPAL_PLAN_MONTHLY, lifetime: given.PAYPAL_PLAN_LIFETIME },
  };
}

/** Hosts that no service on the internet can reach. */
export const PRIVATE_HOST =
  /^(localhost|.*\.(local|localhost|internal|test)|127\..*|0\..*|10\..*|100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\..*|192\.168\..*|172\.(1[6-9]|2\d|3[01])\..*|169\.254\..*|198\.1[89]\..*|(22[4-9]|2[3-5]\d)\..*|\[.*\])$/;

function mercadopagoSettings(env: Environment, publicUrl: URL) {
  const given = groupOrNone(env, "MercadoPago", ["MERCADOPAGO_ACCESS_TOKEN", "MERCADOPAGO_WEBHOOK_SECRET"]);
  if (!given) return null;
  const isReachable = publicUrl.protocol === "https:" && !PRIVATE_HOST.test(publicUrl.hostname);
  if (given.MERCADOPAGO_API_BASE === MERCADOPAGO_API && !isReachable)
    throw new ConfigError(
      "PUBLIC_URL must begin with https:// and a public name for MercadoPago, which redirects buyers to it.",
    );
  return {
    apiBase: given.MERCADOPAGO_API_BASE,
    accessToken: given.MERCADOPAGO_ACCESS_TOKEN,
    webhookSecret: given.MERCADOPAGO_WEBHOOK_SECRET,
  };
}

/**
 * Reads the environment. Empty variables count as absent.
 * @throws ConfigError that names the first missing or invalid variable
 */
export function readConfig(environment: Record<string, string | undefined>) {
  const given = Object.fromEntries(
    Object.entries(environment).filter(([, value]) => value !== undefined && value.trim() !== ""),
  );
  const parsed = Environment.safeParse(given);
  if (!parsed.success) {
    const issue = parsed.error.issues[0]!;
    throw new ConfigError(`${String(issue.path[0])} ${issue.message}.`);
  }
  const env = parsed.data;
  const demo = env.DEMO ? env.DEMO === "on" : !env.DATABASE_URL;
  if (!demo)
    for (const name of ["APP_SECRET", "SMTP_URL", "ADMIN_EMAIL", "PUBLIC_URL"] as const)
      if (!env[name])
        throw new ConfigError(
          `${name} is missing. With DEMO=off (production) it must be set; the README lists every variable.`,
        );
  const dataDir = resolve(env.DATA_DIR);
  const publicUrl = new URL(env.PUBLIC_URL ?? `http://localhost:${env.PORT}`);
  return {
    port: env.PORT,
    // The demo has known passwords, so it listens only on this machine unless HOST is set.
    host: env.HOST ?? (demo ? "127.0.0.1" : "0.0.0.0"),
    /** Number of processes that serve HTTP. */
    workers: env.WORKERS,
    dataDir,
    publicUrl,
    /** Null for the embedded PostgreSQL. */
    databaseUrl: env.DATABASE_URL ?? null,
    /** Null unless `databaseUrl` is a pooler in transaction mode. */
    pooler: poolerSettings(env),
    databaseReplicaUrl: env.DATABASE_REPLICA_URL ?? null,
    adminEmail: env.ADMIN_EMAIL ?? "admin@divan.example",
    smtpUrl: env.SMTP_URL ?? null,
    mailFrom: env.MAIL_FROM ?? `no-responder@${publicUrl.hostname}`,
    demo,
    /** Key of link tokens and keyed hashes, which must not be guessable. */
    secret: env.APP_SECRET ?? storedSecret(dataDir),
    trustedProxies: env.TRUSTED_PROXIES,
    donationUrl: env.DONATION_URL ?? (demo ? "https://example.org/invitanos-un-cafe" : null),
    /** Origin of a push service on this machine, for tests. Others must be on the internet. */
    pushTestOrigin: env.PUSH_TEST_ORIGIN,
    /** S3-compatible storage of files, or null for the data folder. */
    storageUrl: env.STORAGE_URL ? new URL(env.STORAGE_URL) : null,
    paypal: paypalSettings(env),
    mercadopago: mercadopagoSettings(env, publicUrl),
    logLevel: env.LOG_LEVEL,
  };
}
