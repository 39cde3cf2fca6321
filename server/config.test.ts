import { existsSync, mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { PAYPAL } from "#test/provider-settings.ts";
import { ConfigError, readConfig } from "./config.ts";

const folder = mkdtempSync(join(tmpdir(), "divan-config-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const PRODUCTION = {
  DEMO: "off",
  DATA_DIR: join(folder, "production"),
  APP_SECRET: "a secret that is at least 32 characters",
  SMTP_URL: "smtps://user:word@mail.example:465",
  ADMIN_EMAIL: "Admin@Divan.example",
  PUBLIC_URL: "https://divan.example",
};
const DEMO = { DATA_DIR: join(folder, "demo") };

function messageOf(environment: Record<string, string | undefined>): string {
  try {
    readConfig(environment);
  } catch (error) {
    expect(error).toBeInstanceOf(ConfigError);
    return (error as Error).message;
  }
  throw new Error("It was accepted.");
}

describe("invalid variable", () => {
  const INVALID: Record<string, string[]> = {
    PORT: ["http", "65536"],
    WORKERS: ["0", "100"],
    PUBLIC_URL: ["divan.example", "javascript:alert(1)"],
    DATABASE_URL: ["mysql://localhost/divan"],
    DATABASE_REPLICA_URL: ["http://localhost/divan"],
    DATABASE_DIRECT_URL: ["http://localhost/divan"],
    DATABASE_PUBLIC_URL: ["http://localhost/divan"],
    ADMIN_EMAIL: ["Admin <admin@divan.example>", "admin@localhost"],
    SMTP_URL: ["https://mail.example"],
    MAIL_FROM: ["Diván", "divan@127.0.0.1"],
    DEMO: ["yes"],
    APP_SECRET: ["too short"],
    DONATION_URL: ["javascript:alert(1)"],
    STORAGE_URL: ["https://key:secret@host.example/bucket", "s3://key:secret@host.example/"],
    TRUSTED_PROXIES: ["10.0.0.0/8", "10.0.0.1, proxy.example"],
    PAYPAL_CLIENT_SECRET: ["two words"],
    PAYPAL_API_BASE: [
      "http://api-m.paypal.com",
      "http://127.0.0.1.evil.example",
      "https://user:word@api-m.paypal.com",
      "https://api-m.paypal.com/?q",
      "https://api-m.paypal.com/#h",
    ],
    PAYPAL_SDK_BASE: ["javascript:alert(1)"],
    MERCADOPAGO_ACCESS_TOKEN: ["APP_USR ñ1"],
    MERCADOPAGO_API_BASE: ["api.mercadopago.com"],
    LOG_LEVEL: ["verbose"],
  };
  test.each(Object.entries(INVALID).flatMap(([name, values]) => values.map((value) => [name, value] as const)))(
    "reports %s=%s in one message",
    (name, value) => {
      const message = messageOf({ ...PRODUCTION, [name]: value });
      expect(message).toMatch(new RegExp(`^${name} must .+\\.$`));
      expect(message).not.toContain("\n");
      expect(message).not.toContain(value);
    },
  );
});

describe("production", () => {
  test.each(["APP_SECRET", "SMTP_URL", "ADMIN_EMAIL", "PUBLIC_URL"])("requires %s", (name) => {
    for (const value of [undefined, "", "   "]) {
      const message = messageOf({ ...PRODUCTION, [name]: value });
      expect(message).toMatch(new RegExp(`^${name} is missing\\.`));
      expect(message).not.toContain("\n");
    }
    // No secret was generated.
    expect(existsSync(PRODUCTION.DATA_DIR)).toBe(false);
  });

  test("applies if DATABASE_URL is external, unless DEMO is on", () => {
    const external = { DATABASE_URL: "postgres://db.example/divan", ...DEMO };
    expect(messageOf(external)).toMatch(/is missing/);
    expect(readConfig({ ...external, DEMO: "on" }).demo).toBe(true);
    expect(readConfig({ ...PRODUCTION, DEMO: undefined, DATABASE_URL: external.DATABASE_URL }).demo).toBe(false);
  });

  test("listens on the network and uses all settings", () => {
    const config = readConfig({
      ...PRODUCTION,
      PORT: "8080",
      DATABASE_REPLICA_URL: "postgres://replica.example/divan",
      TRUSTED_PROXIES: " 10.0.0.1 , ,10.0.0.2",
      MAIL_FROM: "hola@divan.example",
      DONATION_URL: "https://coffee.example/divan",
      LOG_LEVEL: "warn",
    });
    expect(config).toMatchObject({
      demo: false,
      host: "0.0.0.0",
      port: 8080,
      databaseReplicaUrl: "postgres://replica.example/divan",
      adminEmail: "admin@divan.example",
      smtpUrl: PRODUCTION.SMTP_URL,
      mailFrom: "hola@divan.example",
      secret: PRODUCTION.APP_SECRET,
      trustedProxies: ["10.0.0.1", "10.0.0.2"],
      donationUrl: "https://coffee.example/divan",
      logLevel: "warn",
    });
    expect(config.publicUrl.origin).toBe("https://divan.example");
    expect(readConfig({ ...PRODUCTION, HOST: "10.0.0.7" }).host).toBe("10.0.0.7");
  });

  test("uses no donation link and a sender of PUBLIC_URL's domain by default", () => {
    const config = readConfig(PRODUCTION);
    expect(config.donationUrl).toBeNull();
    expect(config.mailFrom).toBe("no-responder@divan.example");
  });
});

describe("pooler", () => {
  const URLS = {
    DATABASE_URL: "postgres://pooler.example/divan",
    DATABASE_DIRECT_URL: "postgres://db.example/divan",
    DATABASE_PUBLIC_URL: "postgres://reader@pooler.example/divan",
  };

  test("applies if DATABASE_DIRECT_URL differs from DATABASE_URL", () => {
    expect(readConfig({ ...PRODUCTION, ...URLS }).pooler).toEqual({
      directUrl: URLS.DATABASE_DIRECT_URL,
      publicUrl: URLS.DATABASE_PUBLIC_URL,
    });
    const { DATABASE_URL } = URLS;
    expect(readConfig({ ...PRODUCTION, DATABASE_URL }).pooler).toBeNull();
    expect(readConfig({ ...PRODUCTION, DATABASE_URL, DATABASE_DIRECT_URL: DATABASE_URL }).pooler).toBeNull();
  });

  test.each(Object.keys(URLS))("requires %s", (name) => {
    expect(messageOf({ ...PRODUCTION, ...URLS, [name]: undefined })).toMatch(new RegExp(`^${name} is missing\\.`));
  });

  test("requires another DATABASE_DIRECT_URL than DATABASE_URL if DATABASE_PUBLIC_URL is set", () => {
    const same = { ...URLS, DATABASE_DIRECT_URL: URLS.DATABASE_URL };
    expect(messageOf({ ...PRODUCTION, ...same })).toMatch(/^DATABASE_DIRECT_URL must differ/);
  });
});

describe("payment providers", () => {
  const MERCADOPAGO = { MERCADOPAGO_ACCESS_TOKEN: "APP_USR-1", MERCADOPAGO_WEBHOOK_SECRET: "word" };

  test("require all of their variables or none", () => {
    expect(readConfig(PRODUCTION)).toMatchObject({ paypal: null, mercadopago: null });
    expect(readConfig({ ...PRODUCTION, PAYPAL_API_BASE: "https://api-m.sandbox.paypal.com" }).paypal).toBeNull();
    for (const [service, variables] of [
      ["PayPal", PAYPAL],
      ["MercadoPago", MERCADOPAGO],
    ] as const)
      for (const name of Object.keys(variables)) {
        const message = messageOf({ ...PRODUCTION, ...variables, [name]: "" });
        expect(message).toMatch(new RegExp(`^${name} is missing\\. ${service} needs .+, or none\\.$`));
      }
  });

  test("use the real URLs unless others are configured", () => {
    const { paypal, mercadopago } = readConfig({ ...PRODUCTION, ...PAYPAL, ...MERCADOPAGO });
    expect(paypal).toEqual({
      apiBase: "https://api-m.paypal.com",
      sdkBase: "https://www.paypal.com",
      clientId: "client",
      clientSecret: "secret",
      webhookId: "WH-1",
      plans: { monthly: "P-MONTHLY", lifetime: "P-LIFETIME" },
    });
    expect(mercadopago).toEqual({
      apiBase: "https://api.mercadopago.com",
      accessToken: "APP_USR-1",
      webhookSecret: "word",
    });
    const local = { PAYPAL_API_BASE: "http://127.0.0.1:9/paypal/", MERCADOPAGO_API_BASE: "http://localhost:9" };
    expect(readConfig({ ...DEMO, ...PAYPAL, ...MERCADOPAGO, ...local })).toMatchObject({
      paypal: { apiBase: "http://127.0.0.1:9/paypal" },
      mercadopago: { apiBase: "http://localhost:9" },
    });
  });

  test("require two different plan ids", () => {
    expect(messageOf({ ...PRODUCTION, ...PAYPAL, PAYPAL_PLAN_LIFETIME: "P-MONTHLY" })).toMatch(/^PAYPAL_PLAN_LIFETIME/);
  });

  test("require https in PUBLIC_URL for MercadoPago's redirects", () => {
    const hosts = "127.0.0.1 10.0.0.5 192.168.1.9 172.16.0.1 169.254.0.1 100.64.0.1 localhost box.local [::1]".split(
      " ",
    );
    for (const PUBLIC_URL of [undefined, "http://divan.example", ...hosts.map((host) => `https://${host}`)])
      expect(messageOf({ ...DEMO, ...MERCADOPAGO, PUBLIC_URL })).toMatch(/^PUBLIC_URL must begin with https/);
  });
});

describe("demo", () => {
  test("requires no variable and listens only on this machine", () => {
    expect(readConfig(DEMO)).toMatchObject({ demo: true, host: "127.0.0.1", port: 3000, smtpUrl: null });
    expect(readConfig({ ...DEMO, PORT: "4000" }).publicUrl.href).toBe("http://localhost:4000/");
  });

  test("generates a secret once, readable only by its owner", () => {
    const { secret } = readConfig(DEMO);
    expect(secret).toMatch(/^[\w-]{43}$/);
    expect(readConfig(DEMO).secret).toBe(secret);
    expect(statSync(join(DEMO.DATA_DIR, "secret")).mode & 0o777).toBe(0o600);
    expect(readConfig({ DATA_DIR: join(folder, "another") }).secret).not.toBe(secret);
  });
});
