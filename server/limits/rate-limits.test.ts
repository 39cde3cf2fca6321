import { randomUUID } from "node:crypto";
import { BlockList, isIPv6 } from "node:net";
import fc from "fast-check";
import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { UNTIL } from "#app/lib/page-words.ts";
import { contract } from "#shared/contract.ts";
import { type Answer, openTestApp, type Person, type TestApp } from "#test/app.ts";
import { freshAddress, registration } from "#test/people.ts";
import { hashToken } from "../tokens.ts";
import { JITTER, NETWORK_FACTOR, RATE_LIMITS, type RateLimitedAction } from "./rate-limit-rules.ts";
import { bucketsOf, type LimitSubject, networkOf, openRateLimits, type RateLimits, senderOf } from "./rate-limits.ts";

let app: TestApp;
let user: Person;
let psychologist: Person;
/** A psychologist who is not verified yet, and so may not buy. */
let waiting: Person;
let admin: Person;
/** Someone whose account cannot be deleted, so that it can be tried again and again. */
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
  await makeLinks();
});
afterAll(() => app.close());
beforeEach(async () => {
  await app.sql("delete from rate_limits");
  // No one is refused for having given the password too long ago.
  await app.sql("update sessions set password_at = now()");
});
afterEach(() => {
  vi.useRealTimers();
  app.setNow(null);
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

let senders = 0;
/** A network address that no one else in this file uses. */
const freshSender = () => {
  senders++;
  return `10.${senders >> 16}.${(senders >> 8) & 255}.${senders & 255}`;
};
const from = (sender: string) => ({ "x-forwarded-for": sender });

const nowhere = () => randomUUID();

/** A link of a mail that is refused each time for another reason, and so keeps being one. */
const LINKS = {
  registration: "r".repeat(43),
  recovery: "p".repeat(43),
  emailChange: "e".repeat(43),
};
async function makeLinks(): Promise<void> {
  await app.sql(
    `insert into pending_registrations (id, token_hash, browser_hash, email, full_name, password_hash, user_type, details,
       return_to, consent_version, created_at, expires_at)
     values (gen_random_uuid(), $1, $1, 'otra@correo.example', 'Otra', 'x', 'user', '{}', '/', '1', now(), now() + interval '1 day')`,
    [hashToken(LINKS.registration)],
  );
  await app.sql(
    "insert into recovery_requests (id, email, token_hash, created_at, expires_at) values (gen_random_uuid(), $1, $2, now(), now() + interval '1 day')",
    [user.email, hashToken(LINKS.recovery)],
  );
  // Someone else has the address meanwhile.
  await app.sql(
    `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, expires_at)
     values (gen_random_uuid(), $1, $2, $3, $4, 'b', now(), now() + interval '1 day')`,
    [psychologist.id, psychologist.email, user.email, hashToken(LINKS.emailChange)],
  );
}

type Ask = (who: { sender: string; email: string; kind?: string }) => Promise<Answer>;
/** Every operation that a limit guards, asked as someone whom nothing else would refuse first. */
const OPERATIONS: Record<RateLimitedAction, Record<string, Ask>> = {
  sign_in: {
    "POST /session": ({ sender, email }) =>
      app.call("POST", "/session", { email, password: "otra cosa larga" }, null, from(sender)),
  },
  mail_request: {
    "POST /registrations": ({ sender, email }) =>
      app.call("POST", "/registrations", registration(email), null, from(sender)),
    "POST /registrations/mail": ({ sender, email }) =>
      app.call("POST", "/registrations/mail", { email }, null, from(sender)),
    "POST /recoveries": ({ sender, email }) => app.call("POST", "/recoveries", { email }, null, from(sender)),
  },
  account: {
    "PUT /account/answer-mails": ({ sender }) =>
      app.call("PUT", "/account/answer-mails", { on: false }, user, from(sender)),
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
         values (gen_random_uuid(), $1, $2, $3, sha256(gen_random_uuid()::text::bytea),
           sha256(gen_random_uuid()::text::bytea), now(), now() + interval '1 hour')
         on conflict (account_id) where confirmed_at is null do update set new_email = $3`,
        [user.id, user.email, email],
      );
      return app.call("POST", "/account/email/mail", {}, user, from(sender));
    },
  },
  link: {
    "POST /email-links": () => app.call("POST", "/email-links", { token: LINKS.emailChange }),
    "POST /accounts": () => app.call("POST", "/accounts", { token: LINKS.registration }),
    "PUT /password": () =>
      app.call("PUT", "/password", {
        token: LINKS.recovery,
        password: "contraseña123",
        confirm_password: "contraseña123",
      }),
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
      app.call("POST", `/psychologists/${psychologist.id}/views`, {}, null, from(sender)),
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
    "POST /contact": ({ sender, email, kind }) =>
      app.call(
        "POST",
        "/contact",
        { name: "Rosa Luna", email, message: "Una pregunta larga y clara." },
        kind === "address" ? null : user,
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
  reconciliation: {
    "POST /checkouts/{id}/reconciliation": ({ sender }) =>
      app.call("POST", `/checkouts/${nowhere()}/reconciliation`, {}, psychologist, from(sender)),
    "PUT /test-payments/{id}": ({ sender }) =>
      app.call("PUT", `/test-payments/${nowhere()}`, { decision: "approve" }, psychologist, from(sender)),
  },
  webhook: {
    "POST /webhooks/paypal": ({ sender }) => app.call("POST", "/webhooks/paypal", {}, null, from(sender)),
    "POST /webhooks/mercadopago": ({ sender }) =>
      app.call("POST", "/webhooks/mercadopago?data.id=1", {}, null, from(sender)),
  },
  event: {
    "POST /events": ({ sender }) =>
      app.call("POST", "/events", { event: "view_premium_plans" }, psychologist, from(sender)),
  },
  moderation: {
    "POST /admin/decisions/{id}/undo": ({ sender }) =>
      app.call("POST", `/admin/decisions/${nowhere()}/undo`, {}, admin, from(sender)),
    "DELETE /admin/consultations/{id}": ({ sender }) =>
      app.call("DELETE", `/admin/consultations/${nowhere()}`, { version: "" }, admin, from(sender)),
    "PUT /admin/payments/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/payments/${nowhere()}/handling`, { version: "" }, admin, from(sender)),
    "PUT /admin/messages/{id}/handling": ({ sender }) =>
      app.call("PUT", `/admin/messages/${nowhere()}/handling`, { version: "" }, admin, from(sender)),
    "PUT /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("PUT", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, admin, from(sender)),
    "POST /admin/mails/{id}/retry": ({ sender }) =>
      app.call("POST", `/admin/mails/${nowhere()}/retry`, { version: "" }, admin, from(sender)),
    "DELETE /admin/psychologists/{id}/verification": ({ sender }) =>
      app.call("DELETE", `/admin/psychologists/${nowhere()}/verification`, { version: "" }, admin, from(sender)),
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
/** The limit that no response reveals; it has tests of its own below. */
const SILENT = "profile_view";
const guarded = rules
  .filter(({ action }) => action !== SILENT)
  .flatMap(({ action, kind, rule }) =>
    Object.entries(OPERATIONS[action]).map(([name, ask]) => ({ name, action, kind, rule, ask })),
  );

const secret = () => app.context.config.secret;
/** How much this address may do in this window. */
const bucket = (action: RateLimitedAction, sender: string, target?: string) =>
  bucketsOf(secret(), action, { address: sender, target }, app.context.now())[0]!;
/** As if all but so many uses had been spent: by this address, or by everyone who has spent any. */
async function spent(action: RateLimitedAction, kind: string, left = 0, sender = "", target?: string): Promise<void> {
  if (kind === "address") {
    const { key, limit } = bucket(action, sender, target);
    await app.sql("update rate_limits set points = $1 where key = $2", [limit - left, key]);
  } else {
    const { points } = (RATE_LIMITS[action] as Record<string, Rule>)[kind]!;
    await app.sql("update rate_limits set points = $1 where key like $2", [points - left, `${action}\\_${kind}:%`]);
  }
}
/** What stands in the database, to see that a refusal changes nothing of it. */
const counted = () => app.sql("select key, points, expire from rate_limits order by key");

/** Without a limit of this kind, each for a reason. */
const UNLIMITED = [
  // Reading.
  "POST /registrations/pending",
  "POST /email-links/pending",
  // No one is kept from signing out.
  "DELETE /session",
  "DELETE /sessions/{id}",
  // Passwords and codes have limits of their own (accounts/attempt-limits.test.ts).
  "POST /session/password",
  "POST /session/second-factor",
  // A link is unguessable, and following it costs no more than reading a page.
  "POST /device-links/pending",
  "POST /device-links",
  "POST /unsubscriptions",
];

test("every operation that changes something has a limit that is tested here", () => {
  const writes = Object.values(contract).flatMap((group) =>
    Object.values(group).flatMap((procedure) => {
      const { method = "GET", path = "/" } = procedure["~orpc"].route;
      return method === "GET" ? [] : [`${method} ${path}`];
    }),
  );
  const tested = new Set(Object.values(OPERATIONS).flatMap((operations) => Object.keys(operations)));
  // Webhooks are not part of the contract.
  const beside = ["POST /webhooks/paypal", "POST /webhooks/mercadopago"];
  expect([...tested, ...UNLIMITED].toSorted()).toEqual([...writes, ...beside].toSorted());
});

test("only where no one is signed in, and of payment providers, anything is counted by address", () => {
  const byAddress = rules.filter(({ kind }) => kind === "address").map(({ action }) => action);
  expect(byAddress.toSorted()).toEqual(["contact", "mail_request", "profile_view", "sign_in", "webhook"]);
});

describe("an operation", () => {
  // The clock stands, so that no window ends within a test.
  beforeEach(() => app.setNow(new Date()));
  afterEach(() => app.setNow(null));

  test.each(guarded)("$name answers until the limit of $action per $kind, then says until when", async (row) => {
    const who = { sender: freshSender(), email: freshAddress(), kind: row.kind };
    const first = await row.ask(who);
    expect(first.status).not.toBe(429);
    expect(first.status).toBeLessThan(500);
    await spent(row.action, row.kind, 1, who.sender);
    expect((await row.ask(who)).status).toBe(first.status);
    const before = await counted();
    const refused = await row.ask(who);
    expect(refused).toMatchObject({ status: 429, body: { code: "too_many_requests" } });
    expect(await counted()).toEqual(before);
    const wait = Number(refused.headers.get("retry-after"));
    const { facts } = refused.body as unknown as { facts: Record<string, string> };
    expect(Object.keys(facts).toSorted()).toEqual(["action", "retry_after_seconds", "until"]);
    expect(facts).toMatchObject({ retry_after_seconds: wait, action: row.action });
    const now = app.context.now().getTime();
    const until = Date.parse(facts.until!);
    expect(wait).toBe(Math.max(1, Math.ceil((until - now) / 1000)));
    const length = row.rule.seconds * 1000;
    expect(until).toBe(row.kind === "address" ? Math.ceil(now / length) * length : now + length);
  });

  test.each(guarded)("$name is not refused for what another $kind spent on $action", async (row) => {
    const who = { sender: freshSender(), email: freshAddress(), kind: row.kind };
    const first = await row.ask(who);
    await spent(row.action, row.kind, 0, who.sender);
    expect((await row.ask(who)).status).toBe(429);
    if (row.kind === "person" || row.kind === "link")
      await app.sql("update rate_limits set key = key || 'x' where key ~ 'person:|link:'");
    const other = await row.ask({ ...who, sender: freshSender(), email: freshAddress() });
    expect(other.status).toBe(first.status);
  });

  test("signing up, recovering and asking for a mail again share what an address may do", async () => {
    const sender = freshSender();
    const doors = Object.values(OPERATIONS.mail_request);
    for (const ask of doors) expect((await ask({ sender, email: freshAddress() })).status).toBe(202);
    const [row] = await app.sql("select points from rate_limits where key = $1", [bucket("mail_request", sender).key]);
    expect(row).toEqual({ points: doors.length });
    await spent("mail_request", "address", 0, sender);
    for (const ask of doors) expect((await ask({ sender, email: freshAddress() })).status).toBe(429);
  });

  test("done by someone signed in counts nothing for their address", async () => {
    const sender = freshSender();
    const signedIn = rules
      .filter(({ kind }) => kind === "person")
      .flatMap(({ action }) => Object.values(OPERATIONS[action]));
    for (const ask of signedIn) await ask({ sender, email: freshAddress(), kind: "person" });
    const keys = (await counted()).map(({ key }) => String(key).split(":")[0]!);
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter((key) => /_(address|network)$/.test(key))).toEqual([]);
  });

  test("visits beyond the limit are answered as those before, with the same statements, and not counted", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const sender = freshSender();
    let browsers = 0;
    const visit = () =>
      app.call("POST", `/psychologists/${owner.id}/views`, {}, null, {
        ...from(sender),
        "user-agent": `B${browsers++}`,
      });
    const views = async () => (await app.call("GET", `/psychologists/${owner.id}/views`, undefined, owner)).body;
    let first: Answer | undefined;
    const before = await app.statementsDuring(async () => {
      first = await visit();
    });
    expect(first).toMatchObject({ status: 200, body: true });
    await spent("profile_view", "address", 1, sender, owner.id);
    expect(await visit()).toMatchObject({ status: 200, body: true });
    expect(await views()).toBe(2);
    let beyond: Answer | undefined;
    const after = await app.statementsDuring(async () => {
      beyond = await visit();
    });
    const shown = ({ status, body, headers }: Answer) => ({
      status,
      body,
      headers: Object.fromEntries([...headers].filter(([name]) => name !== "date")),
    });
    expect(shown(beyond!)).toEqual(shown(first!));
    expect(after).toEqual(before);
    expect(await views()).toBe(2);
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

  test("a form without JavaScript is limited like the API, and says so", async () => {
    const [sender, email] = [freshSender(), freshAddress()];
    const send = () => app.form("/auth/recuperar", { email }, null, from(sender));
    expect((await send()).status).toBe(302);
    await spent("mail_request", "address", 0, sender);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Desde tu conexión a internet se han pedido demasiados registros y correos.");
    expect(refused.text).toMatch(/Espera \d+ (minutos?|segundos?) e inténtalo otra vez/);
    expect(refused.text).toContain(email);
    // Where a script shows it, the browser formats the time: only it knows the zone.
    const scripted = await app.form("/auth/recuperar.data", { email }, null, from(sender));
    expect(scripted.status).toBe(429);
    expect(scripted.text).toContain(`Espera ${UNTIL} e inténtalo otra vez`);
    expect(scripted.text).toContain(new Date(bucket("mail_request", sender).until).toISOString());
  });
});

describe("a sender", () => {
  const ask = ({ sender }: { sender: string }) =>
    OPERATIONS.contact["POST /contact"]!({ sender, email: freshAddress(), kind: "address" });

  test("cannot say that it is someone else, unless it is a trusted proxy", async () => {
    const untrusting = await openTestApp({ limits: true });
    try {
      untrusting.setNow(new Date());
      const message = { name: "Rosa Luna", email: freshAddress(), message: "Una pregunta larga y clara." };
      const send = (headers: Record<string, string>) => untrusting.call("POST", "/contact", message, null, headers);
      expect((await send({})).status).toBe(201);
      await untrusting.sql("update rate_limits set points = $1", [RATE_LIMITS.contact.address.points + JITTER]);
      const lies = [
        from(freshSender()),
        from(`${freshSender()}, ${freshSender()}`),
        { "x-real-ip": freshSender() },
        { "x-client-ip": freshSender(), "cf-connecting-ip": freshSender(), "true-client-ip": freshSender() },
        { forwarded: `for=${freshSender()}` },
      ];
      for (const lie of lies) expect((await send(lie as Record<string, string>)).status, JSON.stringify(lie)).toBe(429);
      expect(await untrusting.sql("select from rate_limits where key like 'contact%'")).toHaveLength(1);
    } finally {
      await untrusting.close();
    }
  });

  test("behind a trusted proxy is the last address that the proxy added, not one that the client wrote before", async () => {
    app.setNow(new Date());
    const [real, lie] = [freshSender(), freshSender()];
    await ask({ sender: `${lie}, ${real}` });
    await spent("contact", "address", 0, real);
    expect((await ask({ sender: `${freshSender()}, ${freshSender()}, ${real}` })).status).toBe(429);
    expect((await ask({ sender: `${real}, ${freshSender()}` })).status).toBe(201);
    expect((await ask({ sender: lie })).status).toBe(201);
  });

  test.each(["", "unknown", "1.2.3.4.5", "<script>", "1.2.3.4:80", "[::1]"])(
    "of whom a trusted proxy says %j is the proxy",
    async (nonsense) => {
      app.setNow(new Date());
      await ask({ sender: "127.0.0.1" });
      await spent("contact", "address", 0, "127.0.0.1");
      expect((await ask({ sender: nonsense })).status).toBe(429);
    },
  );

  test("with a new IPv6 /64 for each try has as much as twenty addresses", async () => {
    app.setNow(new Date());
    const sender = (at: number) => `2001:db8:77:${at.toString(16)}::1`;
    expect((await ask({ sender: sender(1) })).status).toBe(201);
    const [own, network] = bucketsOf(secret(), "contact", { address: sender(1) }, app.context.now());
    expect(await counted()).toMatchObject([{ points: 1 }, { points: 1 }]);
    expect(network!.limit).toBeGreaterThanOrEqual(NETWORK_FACTOR * RATE_LIMITS.contact.address.points);
    expect(network!.limit).toBeLessThan(NETWORK_FACTOR * (RATE_LIMITS.contact.address.points + JITTER));
    await app.sql("update rate_limits set points = $1 where key = $2", [network!.limit, network!.key]);
    expect((await ask({ sender: sender(2) })).status).toBe(429);
    // Another customer's /48, and who has used up the own /64, counts nothing for those around.
    expect((await ask({ sender: "2001:db8:78:1::1" })).status).toBe(201);
    await app.sql("update rate_limits set points = $1 where key = $2", [5, network!.key]);
    await app.sql("update rate_limits set points = $1 where key = $2", [own!.limit, own!.key]);
    expect((await ask({ sender: sender(1) })).status).toBe(429);
    expect(await app.sql("select points from rate_limits where key = $1", [network!.key])).toEqual([{ points: 5 }]);
  });

  test("is stored as a mark from which the address does not follow", async () => {
    const [sender, email] = [freshSender(), freshAddress()];
    await OPERATIONS.mail_request["POST /recoveries"]!({ sender, email });
    await OPERATIONS.ask["POST /consultations"]!({ sender, email });
    await OPERATIONS.link["POST /accounts"]!({ sender, email });
    const keys = (await app.sql<{ key: string }>("select key from rate_limits")).map(({ key }) => key).join("\n");
    expect(keys.split("\n")).toHaveLength(3);
    for (const secret of [sender, email, user.id, LINKS.registration]) expect(keys).not.toContain(secret);
  });

  test("has another mark for each action and each window, so that no two can be joined", () => {
    const at = Date.now();
    const marks = [0, 1, 2].flatMap((window) =>
      (["sign_in", "mail_request", "contact"] as const).map(
        (action) =>
          bucketsOf("secret", action, { address: "203.0.113.7" }, new Date(at + window * 3_600_000))[0]!.key.split(
            ":",
          )[1],
      ),
    );
    expect(new Set(marks).size).toBe(9);
  });
});

describe("what counts as one sender", () => {
  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["::ffff:203.0.113.7", "203.0.113.7"],
    ["::ffff:cb00:7107", "203.0.113.7"],
    ["0:0:0:0:0:FFFF:CB00:7107", "203.0.113.7"],
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

  test.each([
    ["203.0.113.7", null],
    ["::ffff:203.0.113.7", null],
    ["::ffff:cb00:7107", null],
    ["2001:DB8:1:2::5", "2001:db8:1"],
    ["2001:db8::5", "2001:db8:0"],
  ])("the network around %s is %s", (address, network) => {
    expect(networkOf(address)).toBe(network);
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
  const SECRET = "a secret of this test";
  let pool: pg.Pool;
  let limits: RateLimits;
  /** The clock of these limits: in the middle of a window. */
  let clock = 0;
  const now = () => new Date(clock);
  beforeAll(() => {
    pool = new pg.Pool({ connectionString: app.databaseUrl, max: 10 });
    limits = openRateLimits(pool, SECRET, now);
  });
  beforeEach(() => {
    clock = Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 450_000;
  });
  afterAll(() => pool.end());

  /** Only this kind: the other kinds are not counted. */
  const one = (kind: string): LimitSubject => ({
    [kind]: kind === "address" ? freshSender() : randomUUID(),
  });
  const limitOf = ({ action, kind }: { action: RateLimitedAction; kind: string }, who: LimitSubject) =>
    bucketsOf(SECRET, action, who, now()).find(({ key }) => key.startsWith(`${action}_${kind}:`))!;
  const setPoints = (key: string, points: number) =>
    app.sql("update rate_limits set points = $1 where key = $2", [points, key]);

  async function outcomes(attempts: Promise<void>[]) {
    const results = await Promise.allSettled(attempts);
    const refused = results.filter((result) => result.status === "rejected");
    for (const { reason } of refused) expect(reason).toMatchObject({ code: "too_many_requests" });
    return { allowed: results.length - refused.length, refused: refused.length };
  }

  test.each(rules)("of 200 uses of $action per $kind at once exactly those that are left are allowed", async (row) => {
    const who = one(row.kind);
    const { key, limit } = limitOf(row, who);
    const left = Math.min(7, limit - 1);
    await limits.spend(row.action, who);
    await setPoints(key, limit - left);
    const at200 = Array.from({ length: 200 }, () => limits.spend(row.action, who));
    expect(await outcomes(at200)).toEqual({ allowed: left, refused: 200 - left });
    expect(await app.sql("select points from rate_limits where key = $1", [key])).toEqual([{ points: limit }]);
  });

  test("of 200 first uses at once by twelve networks of a /48 none is lost", async () => {
    const at200 = Array.from({ length: 200 }, (_, at) =>
      limits.spend("contact", { address: `2001:db8:5:${at % 12}::${at}` }),
    );
    expect(await outcomes(at200)).toEqual({ allowed: 200, refused: 0 });
    const points = await app.sql(
      "select sum(points)::integer as n from rate_limits group by key ~ 'network' order by 1",
    );
    expect(points).toEqual([{ n: 200 }, { n: 200 }]);
  });

  test.each(rules)("$action per $kind is open again when the time is over, not before", async (row) => {
    const who = one(row.kind);
    const { key, limit, until } = limitOf(row, who);
    await limits.spend(row.action, who);
    await setPoints(key, limit);
    clock = until - 1500;
    const refusal = { facts: { retry_after_seconds: 2, until: new Date(until).toISOString() } };
    await expect(limits.spend(row.action, who)).rejects.toMatchObject(refusal);
    await expect(limits.check(row.action, who)).rejects.toMatchObject(refusal);
    expect(await limits.trySpend(row.action, who)).toBe(false);
    clock = until;
    await limits.check(row.action, who);
    await limits.spend(row.action, who);
  });

  test("looking counts nothing, and a refusal counts nothing", async () => {
    const who = { address: "2001:db8:9:1::1" };
    for (let looks = 0; looks < 5; looks++) await limits.check("sign_in", who);
    expect(await counted()).toEqual([]);
    await limits.spend("sign_in", who);
    const [own] = bucketsOf(SECRET, "sign_in", who, now());
    await setPoints(own!.key, own!.limit);
    const before = await counted();
    for (let tries = 0; tries < 5; tries++)
      await expect(limits.spend("sign_in", who)).rejects.toMatchObject({ code: "too_many_requests" });
    expect(await counted()).toEqual(before);
  });

  test("each has a reason of its own in words", () => {
    for (const { action, kind, rule } of rules)
      expect((rule as { why?: string }).why?.length, `${action} per ${kind}`).toBeGreaterThan(10);
  });

  test("what no one told is not counted: a visitor is no person", async () => {
    for (let uses = 0; uses < 3; uses++) await limits.spend("moderation", { address: freshSender() });
    expect(await app.sql("select from rate_limits")).toEqual([]);
  });

  describe("while the database does not answer", () => {
    async function withoutDatabase(): Promise<RateLimits> {
      const closed = new pg.Pool({ connectionString: app.databaseUrl });
      await closed.end();
      return openRateLimits(closed, SECRET, now);
    }

    test.each(rules)("$action per $kind is limited all the same", async (row) => {
      const alone = await withoutDatabase();
      const { points } = row.rule;
      const uses = Array.from({ length: points + JITTER + 50 }, () => row);
      const who = one(row.kind);
      const { allowed } = await outcomes(uses.map(() => alone.spend(row.action, who)));
      expect(allowed).toBeGreaterThanOrEqual(points);
      expect(allowed).toBeLessThanOrEqual(row.kind === "address" ? points + JITTER - 1 : points);
      await expect(alone.check(row.action, who)).rejects.toMatchObject({ code: "too_many_requests" });
    });

    test("an address has another threshold, so that none can be measured twice", async () => {
      const address = freshSender();
      const measured = await Promise.all(
        Array.from({ length: 6 }, async () => {
          const alone = await withoutDatabase();
          const uses = Array.from({ length: 130 }, () => alone.spend("contact", { address }));
          return (await outcomes(uses)).allowed;
        }),
      );
      expect(new Set(measured).size).toBeGreaterThan(1);
    });

    test("a visitor's messages stay limited while the table is out of order, and go on afterwards", async () => {
      app.setNow(new Date());
      const sender = freshSender();
      const ask = (from: string) =>
        OPERATIONS.contact["POST /contact"]!({ sender: from, email: freshAddress(), kind: "address" });
      await app.sql("alter table rate_limits rename to rate_limits_away");
      try {
        const { points } = RATE_LIMITS.contact.address;
        const answers: number[] = [];
        for (let tries = 0; tries < points + JITTER; tries++) answers.push((await ask(sender)).status);
        const allowed = answers.indexOf(429);
        expect(allowed).toBeGreaterThanOrEqual(points);
        expect(new Set(answers.slice(0, allowed))).toEqual(new Set([201]));
        expect(new Set(answers.slice(allowed))).toEqual(new Set([429]));
      } finally {
        await app.sql("alter table rate_limits_away rename to rate_limits");
      }
      expect((await ask(freshSender())).status).toBe(201);
      expect(await app.sql("select from rate_limits where key like 'contact_address:%'")).toHaveLength(1);
    });
  });
});
