import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { RETRY_TIME_PLACEHOLDER } from "#app/lib/client-error-messages.ts";
import type { Answer } from "#test/app.ts";
import {
  app,
  bucket,
  counted,
  from,
  guarded,
  LINKS,
  nextClientIp,
  OPERATIONS,
  rules,
  spent,
  user,
  withLimits,
} from "#test/limited-operations.ts";
import { operations } from "#test/operations.ts";
import { uniqueEmail } from "#test/people.ts";
import type { Config } from "../config.ts";
import { clientIp } from "../http/origin.ts";
import { bucketsOf } from "./rate-limits.ts";

withLimits();

/** Operations without a limit here, by reason. */
const UNLIMITED = [
  // Reads.
  "search.similar",
  "accounts.pendingConfirmation",
  "accounts.emailLink",
  // Signing out is always allowed.
  "accounts.signOut",
  "accounts.endSession",
  // Passwords and codes have other limits (the tests in accounts/sign-in).
  "accounts.reauthenticate",
  "secondFactor.signIn",
  // A link is unguessable, and using it costs no more than reading a page.
  "accounts.deviceLink",
  "accounts.applyDeviceLink",
  "accounts.unsubscribe",
];

test("tests a limit for every write", () => {
  const writes = operations.filter(({ method }) => method !== "GET").map(({ name }) => name);
  const tested = Object.values(OPERATIONS).flatMap((byName) => Object.keys(byName));
  expect([...tested, ...UNLIMITED].toSorted()).toEqual(
    [...writes, "webhooks/paypal", "webhooks/mercadopago"].toSorted(),
  );
});

describe("rate-limited operation", () => {
  // Frozen clock, so that no window ends within a test.
  beforeEach(() => app.setNow(new Date()));
  afterEach(() => app.setNow(null));

  test.each(guarded)("$name responds 429 with the time after the limit of $action per $kind", async (row) => {
    const who = { sender: nextClientIp(), email: uniqueEmail(), kind: row.kind };
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
    const { details } = refused.body as unknown as { details: Record<string, string> };
    expect(Object.keys(details).toSorted()).toEqual(["action", "retry_after_seconds", "until"]);
    expect(details).toMatchObject({ retry_after_seconds: wait, action: row.action });
    const now = app.context.now().getTime();
    const until = Date.parse(details.until!);
    expect(wait).toBe(Math.max(1, Math.ceil((until - now) / 1000)));
    const length = row.rule.seconds * 1000;
    expect(until).toBe(row.kind === "address" ? Math.ceil(now / length) * length : now + length);
    // Another sender has another limit. The subjects of the other kinds have different keys (test below).
    if (row.kind !== "address") return;
    const other = await row.ask({ ...who, sender: nextClientIp(), email: uniqueEmail() });
    expect(other.status).toBe(first.status);
  });

  test("counts no operation of a signed-in user for the IP", async () => {
    const sender = nextClientIp();
    const signedIn = rules
      .filter(({ kind }) => kind === "person")
      .flatMap(({ action }) => Object.values(OPERATIONS[action]));
    for (const ask of signedIn) await ask({ sender, email: uniqueEmail(), kind: "person" });
    const keys = (await counted()).map(({ key }) => String(key).split(":")[0]!);
    expect(keys.length).toBeGreaterThan(15);
    expect(keys.filter((key) => /_(address|network)$/.test(key))).toEqual([]);
  });

  test("responds the same to profile visits above the limit, which are not counted", async () => {
    const owner = await app.person({ type: "psychologist", gold: "active" });
    const sender = nextClientIp();
    const visit = async (browser: string) => {
      let answer: Answer | undefined;
      const path = `/psychologists/${owner.id}/views`;
      const statements = await app.statementsDuring(async () => {
        answer = await app.call("POST", path, {}, null, { ...from(sender), "user-agent": browser });
      });
      const { status, body, headers } = answer!;
      return { status, body, headers: [...headers].filter(([name]) => name !== "date"), statements };
    };
    const first = await visit("A");
    expect(first).toMatchObject({ status: 200, body: true });
    await spent("profile_view", "address", 0, sender, owner.id);
    expect(await visit("B")).toEqual(first);
    expect((await app.call("GET", `/psychologists/${owner.id}/views`, undefined, owner)).body).toBe(1);
  });

  test("limits a form without JavaScript and shows the time in Spanish", async () => {
    const [sender, email] = [nextClientIp(), uniqueEmail()];
    const send = () => app.form("/auth/recuperar", { email }, null, from(sender));
    expect((await send()).status).toBe(302);
    await spent("mail_request", "address", 0, sender);
    const refused = await send();
    expect(refused.status).toBe(429);
    expect(refused.text).toContain("Desde tu conexión a internet se han pedido demasiados registros y correos.");
    expect(refused.text).toMatch(/Espera \d+ (horas?|minutos?|segundos?) e inténtalo otra vez/);
    expect(refused.text).toContain(email);
    // For a page with JavaScript, the browser formats the time in its own zone.
    const scripted = await app.form("/auth/recuperar.data", { email }, null, from(sender));
    expect(scripted.status).toBe(429);
    expect(scripted.text).toContain(`Espera ${RETRY_TIME_PLACEHOLDER} e inténtalo otra vez`);
    expect(scripted.text).toContain(new Date(bucket("mail_request", sender).until).toISOString());
  });
});

describe("sender", () => {
  const senderOf = (headers: Record<string, string>, trustedProxies: string[]) =>
    clientIp("127.0.0.1", new Headers(headers), { trustedProxies } as Config);

  test.each([
    ["203.0.113.7", "203.0.113.7"],
    ["198.51.100.1, 198.51.100.2, 203.0.113.7", "203.0.113.7"],
    ...["", "unknown", "1.2.3.4.5", "<script>", "1.2.3.4:80", "[::1]"].map((nonsense) => [nonsense, "127.0.0.1"]),
  ])("is for X-Forwarded-For: %j of a trusted proxy the IP %s", (forwarded, sender) => {
    expect(senderOf({ "x-forwarded-for": forwarded! }, ["127.0.0.1"])).toBe(sender);
  });

  test.each(["x-forwarded-for", "x-real-ip", "x-client-ip", "cf-connecting-ip", "true-client-ip", "forwarded"])(
    "ignores %s unless a trusted proxy sent it",
    (name) => {
      expect(senderOf({ [name]: "203.0.113.7" }, [])).toBe("127.0.0.1");
    },
  );

  test("stores a hash that does not reveal the IP", async () => {
    const [sender, email] = [nextClientIp(), uniqueEmail()];
    await OPERATIONS.mail_request["accounts.requestRecovery"]!({ sender, email });
    await OPERATIONS.ask["consultations.create"]!({ sender, email });
    await OPERATIONS.link["accounts.confirm"]!({ sender, email });
    const keys = (await app.sql<{ key: string }>("select key from rate_limits")).map(({ key }) => key).join("\n");
    expect(keys.split("\n")).toHaveLength(3);
    for (const secret of [sender, email, user.id, LINKS.registration]) expect(keys).not.toContain(secret);
  });

  test("stores a different hash for each action and window", () => {
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

  test.each([
    ["person", "account"],
    ["link", "link"],
    ["device", "password"],
    ["email", "password"],
  ] as const)("counts each %s alone", (kind, action) => {
    const keys = ["one", "other"].flatMap((subject) => bucketsOf("secret", action, { [kind]: subject }, new Date()));
    expect(new Set(keys.map(({ key }) => key)).size).toBe(keys.length);
  });
});
