import { randomUUID } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import fc from "fast-check";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { contract } from "#shared/contract.ts";
import { type Answer, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { hashPassword } from "./accounts/password.ts";
import {
  openRateLimits,
  RATE_LIMITS,
  type RateLimitedAction,
  type RateLimits,
  senderOf,
  type Who,
  WRONG_PASSWORDS,
} from "./rate-limits.ts";

let app: TestApp;
let user: Person;
let psychologist: Person;
/** A psychologist who is not verified yet, and so may not buy. */
let waiting: Person;
let admin: Person;
/** Somebody whose account cannot be deleted, so that it can be tried again and again. */
let stayer: Person;
beforeAll(async () => {
  // The test itself is the trusted proxy, so that it can come from any address.
  app = await openTestApp({ limits: true, environment: { TRUSTED_PROXIES: "127.0.0.1", ...PAYMENT_SERVICES } });
  user = await app.person();
  psychologist = await app.person({ type: "psychologist" });
  waiting = await app.person({ type: "psychologist", verified: false });
  admin = await app.admin();
  stayer = await app.person();
  await app.sql("create function stay() returns trigger language plpgsql as 'begin return null; end'");
  await app.sql(
    `create trigger stay before delete on profiles for each row when (old.id = '${stayer.id}') execute function stay()`,
  );
  const first = await OPERATIONS.ask["POST /consultations"]!({ sender: freshSender(), email: "" });
  expect(first.status).toBe(201);
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql("delete from rate_limits");
  // Nobody is refused for having given the password too long ago.
  await app.sql("update sessions set password_at = now()");
});
afterEach(() => {
  vi.useRealTimers();
});

/** Set up, so that their notifications are looked at; nothing here reaches them. */
const PAYMENT_SERVICES = {
  PAYPAL_CLIENT_ID: "nobody",
  PAYPAL_CLIENT_SECRET: "nothing",
  PAYPAL_WEBHOOK_ID: "WH-NOWHERE",
  PAYPAL_PLAN_MONTHLY: "P-MONTHLY",
  PAYPAL_PLAN_LIFETIME: "P-LIFETIME",
  PAYPAL_API_BASE: "http://127.0.0.1:9",
  MERCADOPAGO_ACCESS_TOKEN: "nobody",
  MERCADOPAGO_WEBHOOK_SECRET: "nothing",
  MERCADOPAGO_API_BASE: "http://127.0.0.1:9",
};

const PASSWORD = "un caballo sin montura";
const freshAddress = () => `${randomUUID()}@correo.example`;
let senders = 0;
/** A network address that nobody else in this file uses. */
const freshSender = () => {
  senders++;
  return `10.${senders >> 16}.${(senders >> 8) & 255}.${senders & 255}`;
};
const from = (sender: string) => ({ "x-forwarded-for": sender });

const registration = (email: string) => ({
  user_type: "user",
  full_name: "Rosa Luna Prado",
  email,
  password: PASSWORD,
  confirm_password: PASSWORD,
  adult_or_guardian: true,
  health_data: true,
  transfer_abroad: true,
});
const TOKEN = "x".repeat(43);
const nowhere = () => randomUUID();

type Ask = (who: { sender: string; email: string }) => Promise<Answer>;
/** Every operation that a limit guards, asked as somebody whom nothing else would refuse first. */
const OPERATIONS: Record<RateLimitedAction, Record<string, Ask>> = {
  sign_in: {
    "POST /session": ({ sender, email }) =>
      app.call("POST", "/session", { email, password: "otra cosa larga" }, null, from(sender)),
    "POST /session/password": ({ sender }) =>
      app.call("POST", "/session/password", { password: "otra cosa larga" }, user, from(sender)),
  },
  sign_up: {
    "POST /registrations": ({ sender, email }) =>
      app.call("POST", "/registrations", registration(email), null, from(sender)),
    "POST /registrations/mail": ({ sender, email }) =>
      app.call("POST", "/registrations/mail", { email }, null, from(sender)),
  },
  recovery: {
    "POST /recoveries": ({ sender, email }) => app.call("POST", "/recoveries", { email }, null, from(sender)),
  },
  second_factor: {
    "POST /session/second-factor": ({ sender }) =>
      app.call("POST", "/session/second-factor", { code: "123456" }, null, from(sender)),
  },
  account: {
    "POST /account/second-factor": ({ sender }) => app.call("POST", "/account/second-factor", {}, user, from(sender)),
    "PUT /account/second-factor": ({ sender }) =>
      app.call("PUT", "/account/second-factor", { code: "123456" }, psychologist, from(sender)),
    "DELETE /account/second-factor": ({ sender }) =>
      app.call("DELETE", "/account/second-factor", {}, user, from(sender)),
    "POST /account/second-factor/recovery-codes": ({ sender }) =>
      app.call("POST", "/account/second-factor/recovery-codes", {}, user, from(sender)),
    "PUT /account/password": ({ sender }) =>
      app.call(
        "PUT",
        "/account/password",
        { password: "contraseña123", confirm_password: "contraseña123" },
        user,
        from(sender),
      ),
    "DELETE /account": ({ sender }) => app.call("DELETE", "/account", { nameless: "keep" }, stayer, from(sender)),
    "PUT /account/consents": ({ sender }) =>
      app.call("PUT", "/account/consents", { kind: "health_data", given: true }, user, from(sender)),
    "DELETE /account/email": ({ sender }) => app.call("DELETE", "/account/email", {}, user, from(sender)),
  },
  export: {
    "POST /account/export": ({ sender }) => app.call("POST", "/account/export", {}, user, from(sender)),
  },
  change_email: {
    "POST /account/email": ({ sender, email }) => app.call("POST", "/account/email", { email }, user, from(sender)),
    "POST /account/email/mail": async ({ sender, email }) => {
      await app.sql(
        `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, expires_at)
         values (gen_random_uuid(), $1, $2, $3, 'a', 'b', now(), now() + interval '1 hour')
         on conflict (account_id) where confirmed_at is null do update set new_email = $3`,
        [user.id, user.email, email],
      );
      return app.call("POST", "/account/email/mail", {}, user, from(sender));
    },
  },
  token: {
    "POST /email-links": ({ sender }) => app.call("POST", "/email-links", { token: TOKEN }, null, from(sender)),
    "POST /accounts": ({ sender }) => app.call("POST", "/accounts", { token: TOKEN }, null, from(sender)),
    "PUT /password": ({ sender }) =>
      app.call(
        "PUT",
        "/password",
        { token: TOKEN, password: PASSWORD, confirm_password: PASSWORD },
        null,
        from(sender),
      ),
  },
  ask: {
    "POST /consultations": ({ sender }) =>
      app.call(
        "POST",
        "/consultations",
        { title: "Una pregunta de prueba", content: "Un texto de más de veinte caracteres.", country: "Chile" },
        user,
        from(sender),
      ),
  },
  answer: {
    "POST /consultations/{id}/answers": ({ sender }) =>
      app.call(
        "POST",
        `/consultations/${nowhere()}/answers`,
        { content: "Una respuesta." },
        psychologist,
        from(sender),
      ),
  },
  reply: {
    "POST /answers/{id}/replies": ({ sender }) =>
      app.call("POST", `/answers/${nowhere()}/replies`, { content: "Gracias." }, user, from(sender)),
  },
  vote: {
    "PUT /consultations/{id}/vote": ({ sender }) =>
      app.call("PUT", `/consultations/${nowhere()}/vote`, { vote: "up" }, user, from(sender)),
    "PUT /answers/{id}/vote": ({ sender }) =>
      app.call("PUT", `/answers/${nowhere()}/vote`, { vote: "up" }, user, from(sender)),
  },
  session: {
    "POST /session/renewal": ({ sender }) => app.call("POST", "/session/renewal", {}, user, from(sender)),
    "DELETE /session": ({ sender }) => app.call("DELETE", "/session", { scope: "this" }, null, from(sender)),
    "DELETE /sessions/{id}": ({ sender }) => app.call("DELETE", `/sessions/${nowhere()}`, {}, user, from(sender)),
  },
  correct: {
    "PATCH /consultations/{id}": ({ sender }) =>
      app.call(
        "PATCH",
        `/consultations/${nowhere()}`,
        {
          title: "Una pregunta de prueba",
          content: "Un texto de más de veinte caracteres.",
          country: "Chile",
          is_anonymous: true,
        },
        user,
        from(sender),
      ),
    "DELETE /consultations/{id}": ({ sender }) =>
      app.call("DELETE", `/consultations/${nowhere()}`, {}, user, from(sender)),
    "PATCH /answers/{id}": ({ sender }) =>
      app.call("PATCH", `/answers/${nowhere()}`, { content: "Otra respuesta." }, psychologist, from(sender)),
    "DELETE /answers/{id}": ({ sender }) => app.call("DELETE", `/answers/${nowhere()}`, {}, psychologist, from(sender)),
    "PATCH /replies/{id}": ({ sender }) =>
      app.call("PATCH", `/replies/${nowhere()}`, { content: "Muchas gracias." }, user, from(sender)),
    "DELETE /replies/{id}": ({ sender }) => app.call("DELETE", `/replies/${nowhere()}`, {}, user, from(sender)),
  },
  review: {
    "PUT /psychologists/{id}/review": ({ sender }) =>
      app.call(
        "PUT",
        `/psychologists/${nowhere()}/review`,
        { rating: 5, comment: "Muy bien.", show_name: false },
        user,
        from(sender),
      ),
    "DELETE /psychologists/{id}/review": ({ sender }) =>
      app.call("DELETE", `/psychologists/${nowhere()}/review`, {}, user, from(sender)),
  },
  profile_view: {
    "POST /psychologists/{id}/views": ({ sender }) =>
      app.call("POST", `/psychologists/${nowhere()}/views`, {}, null, from(sender)),
  },
  upload: {
    "POST /profile/photo": async ({ sender }) => {
      const form = new FormData();
      form.set("file", new File(["no photo"], "photo.png", { type: "image/png" }));
      const init = { method: "POST", body: form, headers: from(sender) };
      return app.page("/api/profile/photo", user, init);
    },
  },
  profile: {
    "PUT /profile": ({ sender }) => app.call("PUT", "/profile", { full_name: "Rosa Luna Prado" }, user, from(sender)),
  },
  contact: {
    "POST /contact": ({ sender, email }) =>
      app.call(
        "POST",
        "/contact",
        { name: "Rosa Luna", email, message: "Una pregunta larga y clara." },
        user,
        from(sender),
      ),
  },
  checkout: {
    "POST /checkouts": ({ sender }) =>
      app.call("POST", "/checkouts", { plan_type: "monthly", method: "paypal" }, waiting, from(sender)),
  },
  cancellation: {
    "DELETE /memberships/{id}": ({ sender }) =>
      app.call("DELETE", `/memberships/${nowhere()}`, {}, psychologist, from(sender)),
    "POST /cancel-payment-subscription": ({ sender }) =>
      app.call("POST", "/cancel-payment-subscription", { subscriptionId: "TEST_nobody" }, psychologist, from(sender)),
  },
  checkout_reading: {
    "POST /checkouts/{id}/reconciliation": ({ sender }) =>
      app.call("POST", `/checkouts/${nowhere()}/reconciliation`, {}, psychologist, from(sender)),
    "PUT /test-payments/{id}": ({ sender }) =>
      app.call("PUT", `/test-payments/${nowhere()}`, { decision: "approve" }, psychologist, from(sender)),
  },
  notification: {
    "POST /webhooks/paypal": ({ sender }) => app.call("POST", "/webhooks/paypal", {}, null, from(sender)),
    "POST /webhooks/mercadopago": ({ sender }) =>
      app.call("POST", "/webhooks/mercadopago?data.id=1", {}, null, from(sender)),
  },
  event: {
    "POST /events": ({ sender }) =>
      app.call("POST", "/events", { event: "view_premium_plans" }, psychologist, from(sender)),
  },
  moderation: {
    "DELETE /admin/consultations/{id}": ({ sender }) =>
      app.call("DELETE", `/admin/consultations/${nowhere()}`, {}, admin, from(sender)),
    "PUT /admin/payments/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/payments/${nowhere()}/handling`, {}, admin, from(sender)),
    "PUT /admin/messages/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/messages/${nowhere()}/handling`, {}, admin, from(sender)),
    "PUT /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("PUT", `/admin/psychologists/${nowhere()}/verification`, {}, admin, from(sender)),
    "DELETE /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("DELETE", `/admin/psychologists/${nowhere()}/verification`, {}, admin, from(sender)),
  },
};

type Rule = { points: number; seconds: number };
const rules = Object.entries(RATE_LIMITS).flatMap(([action, kinds]) =>
  Object.entries(kinds as Record<string, Rule>).map(([kind, rule]) => ({
    action: action as RateLimitedAction,
    kind,
    rule,
  })),
);
const guarded = rules.flatMap(({ action, kind, rule }) =>
  Object.entries(OPERATIONS[action]).map(([name, ask]) => ({ name, action, kind, rule, ask })),
);

/** As if so many had been spent already, by everybody who has spent any. */
const spent = (action: string, kind: string, points: number) =>
  app.sql("update rate_limits set points = $1 where key like $2", [points, `${action}\\_${kind}:%`]);

/** What changes nothing that others see, or is rarer than any limit would be. */
const UNLIMITED = ["POST /registrations/pending", "POST /email-links/pending", "POST /admin/mails/{id}/retry"];

test("every operation that changes something has a limit that is tested here", () => {
  const writes = Object.values(contract).flatMap((group) =>
    Object.values(group).flatMap((procedure) => {
      const { method = "GET", path = "/" } = procedure["~orpc"].route;
      return method === "GET" ? [] : [`${method} ${path}`];
    }),
  );
  const tested = Object.values(OPERATIONS).flatMap((operations) => Object.keys(operations));
  // Notifications of payment services stand beside the contract.
  const beside = ["POST /webhooks/paypal", "POST /webhooks/mercadopago"];
  expect([...tested, ...UNLIMITED].toSorted()).toEqual([...writes, ...beside].toSorted());
});

describe("an operation", () => {
  test.each(guarded)("$name answers until the limit of $action per $kind, then says when to try again", async (row) => {
    const who = { sender: freshSender(), email: freshAddress() };
    const first = await row.ask(who);
    expect(first.status).not.toBe(429);
    expect(first.status).toBeLessThan(500);
    await spent(row.action, row.kind, row.rule.points - 1);
    expect((await row.ask(who)).status).toBe(first.status);
    const refused = await row.ask(who);
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    const wait = Number(refused.headers.get("retry-after"));
    expect(refused.body).toMatchObject({ facts: { retry_after_seconds: wait } });
    expect(wait).toBeGreaterThan(row.rule.seconds - 30);
    expect(wait).toBeLessThanOrEqual(row.rule.seconds);
    expect(Number.isInteger(wait)).toBe(true);
  });

  test.each(guarded)("$name is not refused for what another $kind spent on $action", async (row) => {
    const who = { sender: freshSender(), email: freshAddress() };
    const first = await row.ask(who);
    await spent(row.action, row.kind, row.rule.points);
    expect((await row.ask(who)).status).toBe(429);
    if (row.kind === "person") await app.sql("update rate_limits set key = key || 'x' where key like '%person:%'");
    const other = await row.ask({ sender: freshSender(), email: freshAddress() });
    expect(other.status).toBe(first.status);
  });

  test("of 200 consultations of one person at once no more than ten are looked at", async () => {
    const person = await app.person();
    const answers = await Promise.all(
      Array.from({ length: 200 }, () =>
        app.call(
          "POST",
          "/consultations",
          { title: "Una pregunta de prueba", content: "Un texto de más de veinte caracteres.", country: "Chile" },
          person,
          from(freshSender()),
        ),
      ),
    );
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect({ published: count(201), week: count(403), tooMany: count(429) }).toEqual({
      published: 1,
      week: RATE_LIMITS.ask.person.points - 1,
      tooMany: 200 - RATE_LIMITS.ask.person.points,
    });
  });

  test("one mailbox gets three mails in an hour and ten in a day, however many addresses ask for them", async () => {
    const email = freshAddress();
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    let written = 0;
    for (let hour = 0; hour < 5; hour++) {
      vi.setSystemTime(start + hour * 3_601_000);
      const answers = await Promise.all(
        Array.from({ length: 12 }, () => OPERATIONS.recovery["POST /recoveries"]!({ sender: freshSender(), email })),
      );
      written += answers.filter((answer) => answer.status === 202).length;
      expect(written).toBeLessThanOrEqual(Math.min(10, 3 * (hour + 1)));
    }
    expect(written).toBeGreaterThanOrEqual(6);
    const jobs = await app.sql("select from pgboss.job where data ->> 'kind' = 'recover_password' and id is not null");
    expect(jobs.length).toBeGreaterThanOrEqual(written);
  });

  test("a form without JavaScript is limited like the API, and says so", async () => {
    const [sender, email] = [freshSender(), freshAddress()];
    const send = () => app.form("/auth/recuperar", { email }, null, from(sender));
    expect((await send()).status).toBe(302);
    await spent("recovery", "mail", RATE_LIMITS.recovery.mail.points);
    expect((await send()).status).toBe(429);
  });
});

describe("a sender", () => {
  test("cannot say that it is somebody else, unless it is a trusted proxy", async () => {
    const untrusting = await openTestApp({ limits: true });
    try {
      const send = (headers: Record<string, string>) =>
        untrusting.call("POST", "/accounts", { token: TOKEN }, null, headers);
      expect((await send({})).status).toBe(410);
      await untrusting.sql("update rate_limits set points = $1", [RATE_LIMITS.token.address.points]);
      const lies = [
        from(freshSender()),
        from(`${freshSender()}, ${freshSender()}`),
        { "x-real-ip": freshSender() },
        { "x-client-ip": freshSender(), "cf-connecting-ip": freshSender(), "true-client-ip": freshSender() },
        { forwarded: `for=${freshSender()}` },
      ];
      for (const lie of lies) expect((await send(lie as Record<string, string>)).status, JSON.stringify(lie)).toBe(429);
      expect(await untrusting.sql("select from rate_limits where key like 'token%'")).toHaveLength(1);
    } finally {
      await untrusting.close();
    }
  });

  test("behind a trusted proxy is the last address that the proxy added, not one that the client wrote before", async () => {
    const ask = OPERATIONS.token["POST /accounts"]!;
    const [real, lie] = [freshSender(), freshSender()];
    await ask({ sender: `${lie}, ${real}`, email: "" });
    await spent("token", "address", RATE_LIMITS.token.address.points);
    expect((await ask({ sender: `${freshSender()}, ${freshSender()}, ${real}`, email: "" })).status).toBe(429);
    expect((await ask({ sender: `${real}, ${freshSender()}`, email: "" })).status).toBe(410);
    expect((await ask({ sender: lie, email: "" })).status).toBe(410);
  });

  test.each(["", "unknown", "1.2.3.4.5", "<script>", "1.2.3.4:80", "[::1]"])(
    "of whom a trusted proxy says %j is the proxy",
    async (nonsense) => {
      const ask = OPERATIONS.token["POST /accounts"]!;
      await app.call("POST", "/accounts", { token: TOKEN });
      await spent("token", "address", RATE_LIMITS.token.address.points);
      expect((await ask({ sender: nonsense, email: "" })).status).toBe(429);
    },
  );

  test("is stored as a mark from which the address does not follow", async () => {
    const [sender, email] = [freshSender(), freshAddress()];
    await OPERATIONS.recovery["POST /recoveries"]!({ sender, email });
    await OPERATIONS.ask["POST /consultations"]!({ sender, email });
    const keys = (await app.sql<{ key: string }>("select key from rate_limits")).map(({ key }) => key).join("\n");
    expect(keys.split("\n")).toHaveLength(5);
    for (const secret of [sender, email, user.id]) expect(keys).not.toContain(secret);
  });
});

describe("what counts as one sender", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::FFFF:203.0.113.7", "203.0.113.7"],
    ["2001:db8:1:2:3:4:5:6", "2001:db8:1:2"],
    ["2001:db8:1:2::", "2001:db8:1:2"],
    ["2001:db8::5", "2001:db8:0:0"],
    ["2001:DB8::5", "2001:db8:0:0"],
    ["2001:0db8:0000:0000:0000:0000:0000:0005", "2001:db8:0:0"],
    ["::", "0:0:0:0"],
    ["::1", "0:0:0:0"],
    ["1::", "1:0:0:0"],
    ["1:2:3:4:5:6:7::", "1:2:3:4"],
    ["::2:3:4:5:6:7:8", "0:2:3:4"],
    ["64:ff9b::203.0.113.7", "64:ff9b:0:0"],
    ["fe80::1%eth0", "fe80:0:0:0"],
  ])("%s is %s", (address, sender) => {
    expect(senderOf(address)).toBe(sender);
  });

  test("two IPv6 addresses are one exactly when they share the first 64 bits, however they are written", () => {
    const group = fc.constantFrom("0", "1", "db8", "2001", "ffff", "a0b");
    const groups = fc.array(group, { minLength: 8, maxLength: 8 });
    const padded = (parts: string[]) => parts.map((part) => part.padStart(4, "0").toUpperCase()).join(":");
    // The URL parser writes an address in its shortest form.
    const short = (parts: string[]) => new URL(`http://[${parts.join(":")}]`).hostname.slice(1, -1);
    fc.assert(
      fc.property(groups, groups, fc.boolean(), (a, tail, same) => {
        const b = same ? [...a.slice(0, 4), ...tail.slice(4)] : tail;
        for (const written of [padded(a), short(a)]) expect(isIPv6(written)).toBe(true);
        expect(senderOf(padded(a))).toBe(senderOf(short(a)));
        const network = new BlockList();
        network.addSubnet(short(a), 64, "ipv6");
        expect(senderOf(short(a)) === senderOf(padded(b))).toBe(network.check(short(b), "ipv6"));
      }),
    );
  });
});

describe("the limits themselves", () => {
  let pool: pg.Pool;
  let limits: RateLimits;
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: app.databaseUrl, max: 10 });
    limits = openRateLimits(pool, "a secret of this test");
  });
  afterAll(() => pool.end());

  /** Somebody of this kind alone: the other kinds are not counted. */
  const one = (kind: string): Who => ({ [kind === "mailDay" ? "mail" : kind]: randomUUID() });

  async function outcomes(attempts: Promise<void>[]) {
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "too_many_requests" });
    return { allowed: results.length - refused.length, refused: refused.length };
  }

  test.each(rules)("of 200 uses of $action per $kind at once exactly those that are left are allowed", async (row) => {
    const left = Math.min(7, row.rule.points);
    const who = one(row.kind);
    await limits.spend(row.action, who);
    await spent(row.action, row.kind, row.rule.points - left);
    // Where a shorter limit counts the same, it must not be the one that refuses.
    if (row.kind === "mailDay") await spent(row.action, "mail", -1_000);
    const at200 = Array.from({ length: 200 }, () => limits.spend(row.action, who));
    expect(await outcomes(at200)).toEqual({ allowed: left, refused: 200 - left });
  });

  test.each(rules)("$action per $kind is open again when the time is over, not before", async (row) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const who = one(row.kind);
    await limits.spend(row.action, who);
    await spent(row.action, row.kind, row.rule.points);
    if (row.kind === "mailDay") await spent(row.action, "mail", -1_000);
    vi.setSystemTime(start + row.rule.seconds * 1000 - 1500);
    await expect(limits.spend(row.action, who)).rejects.toMatchObject({ facts: { retry_after_seconds: 2 } });
    vi.setSystemTime(start + row.rule.seconds * 1000 + 1);
    await limits.spend(row.action, who);
  });

  test("each has a reason of its own in words", () => {
    for (const { action, kind, rule } of rules)
      expect((rule as { why?: string }).why?.length, `${action} per ${kind}`).toBeGreaterThan(10);
  });

  test("what nobody told is not counted: a visitor is no person", async () => {
    for (let uses = 0; uses < 3; uses++) await limits.spend("moderation", { address: freshSender() });
    expect(await app.sql("select from rate_limits")).toEqual([]);
  });

  describe("while the database does not answer", () => {
    test.each(rules)("$action per $kind is limited all the same", async (row) => {
      const closed = new pg.Pool({ connectionString: app.databaseUrl });
      await closed.end();
      const alone = openRateLimits(closed, "a secret of this test");
      const uses = Array.from({ length: row.rule.points + 50 }, () => row);
      const who = one(row.kind);
      // Where a shorter limit counts the same, it is the one that refuses.
      const allowed = Math.min(
        ...rules
          .filter(({ action, kind }) => action === row.action && one(kind).mail && one(row.kind).mail)
          .map(({ rule }) => rule.points),
        row.rule.points,
      );
      expect(await outcomes(uses.map(() => alone.spend(row.action, who)))).toMatchObject({ allowed });
    });

    test("wrong passwords wait all the same, and the right one is taken afterwards", async () => {
      vi.useFakeTimers({ toFake: ["Date"] });
      const closed = new pg.Pool({ connectionString: app.databaseUrl });
      await closed.end();
      const alone = openRateLimits(closed, "a secret of this test");
      const at50 = Array.from({ length: 50 }, () => alone.tryPassword("ana"));
      expect(await outcomes(at50)).toEqual({ allowed: WRONG_PASSWORDS.free + 1, refused: 44 });
      await alone.rightPassword("ana");
      await alone.tryPassword("ana");
    });

    test("signing in stays limited while the table is out of order, and goes on afterwards", async () => {
      const ask = OPERATIONS.sign_in["POST /session"]!;
      const sender = freshSender();
      await app.sql("alter table rate_limits rename to rate_limits_away");
      try {
        const answers: number[] = [];
        for (let tries = 0; tries < RATE_LIMITS.sign_in.address.points + 5; tries++)
          answers.push((await ask({ sender, email: freshAddress() })).status);
        expect(answers.filter((status) => status === 400)).toHaveLength(RATE_LIMITS.sign_in.address.points);
        expect(answers.slice(-5)).toEqual([429, 429, 429, 429, 429]);
      } finally {
        await app.sql("alter table rate_limits_away rename to rate_limits");
      }
      expect((await ask({ sender: freshSender(), email: freshAddress() })).status).toBe(400);
      expect(await app.sql("select from rate_limits where key like 'sign_in_address:%'")).toHaveLength(1);
    });
  });
});

describe("wrong passwords", () => {
  async function owner(): Promise<Person> {
    const person = await app.person({ email: freshAddress() });
    await app.sql("update accounts set password_hash = $2 where id = $1", [person.id, await hashPassword(PASSWORD)]);
    return person;
  }
  /** Each try from an address of its own, as a network of stolen machines would. */
  const signIn = (email: string, password: string) =>
    app.call("POST", "/session", { email, password }, null, from(freshSender()));
  const wrong = (email: string) => signIn(email, "otra cosa larga");

  test("are five free, then each makes the next wait twice as long, up to five minutes and never for good", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    let now = Date.now();
    const person = await owner();
    for (let tries = 0; tries < WRONG_PASSWORDS.free; tries++) expect((await wrong(person.email)).status).toBe(400);
    const waits: number[] = [];
    for (let tries = 0; tries < 14; tries++) {
      expect((await wrong(person.email)).status).toBe(400);
      // While it waits not even the right password is compared, and asking does not make the wait longer.
      const refused = await signIn(person.email, PASSWORD);
      expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
      expect((await wrong(person.email)).status).toBe(429);
      const wait = Number(refused.headers.get("retry-after"));
      waits.push(wait);
      vi.setSystemTime(now + wait * 1000 - 500);
      expect((await wrong(person.email)).status).toBe(429);
      now += wait * 1000 + 1;
      vi.setSystemTime(now);
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 64, 128, 256, 300, 300, 300, 300, 300, 300]);
    expect((await signIn(person.email, PASSWORD)).status).toBe(200);
  });

  test("are forgotten by the right one", async () => {
    const person = await owner();
    for (let round = 0; round < 3; round++) {
      for (let tries = 0; tries < WRONG_PASSWORDS.free; tries++) expect((await wrong(person.email)).status).toBe(400);
      expect((await signIn(person.email, PASSWORD)).status).toBe(200);
    }
  });

  test("are forgotten after a day", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const start = Date.now();
    const person = await owner();
    for (let tries = 0; tries < WRONG_PASSWORDS.free; tries++) await wrong(person.email);
    vi.setSystemTime(start + WRONG_PASSWORDS.forgottenAfterSeconds * 1000 + 1000);
    for (let tries = 0; tries < WRONG_PASSWORDS.free; tries++) expect((await wrong(person.email)).status).toBe(400);
    expect((await signIn(person.email, PASSWORD)).status).toBe(200);
  });

  test("of one account do not make another wait", async () => {
    const [person, other] = [await owner(), await owner()];
    for (let tries = 0; tries < 6; tries++) await wrong(person.email);
    expect((await wrong(person.email)).status).toBe(429);
    expect((await signIn(other.email, PASSWORD)).status).toBe(200);
  });

  test("wait the same for an address that nobody has, and however it is written", async () => {
    const [person, email] = [await owner(), freshAddress()];
    for (const address of [person.email, email]) {
      const statuses: number[] = [];
      for (const written of [address, address.toUpperCase(), ` ${address}`, address, address, address, address])
        statuses.push((await wrong(written)).status);
      expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429]);
    }
  });

  test("200 at once from 200 addresses are no more guesses than one after another", async () => {
    const person = await owner();
    const answers = await Promise.all(Array.from({ length: 200 }, () => wrong(person.email)));
    const count = (status: number) => answers.filter((answer) => answer.status === status).length;
    expect({ compared: count(400), refused: count(429) }).toEqual({
      compared: WRONG_PASSWORDS.free + 1,
      refused: 200 - WRONG_PASSWORDS.free - 1,
    });
  });

  test("cannot be made forgotten by a registration that waits for the same address", async () => {
    const person = await owner();
    const own = { password: "la llave del atacante", confirm_password: "la llave del atacante" };
    await app.call("POST", "/registrations", { ...registration(person.email), ...own }, null, from(freshSender()));
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries++) {
      statuses.push((await wrong(person.email)).status);
      statuses.push((await signIn(person.email, own.password)).status);
    }
    expect(statuses).toEqual([400, 403, 400, 403, 400, 403, 429, 429]);
  });
});
