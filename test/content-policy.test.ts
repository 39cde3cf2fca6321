import { describe, expect, test } from "vitest";
import { setPassword } from "./accounts.ts";
import type { TestUser } from "./app.ts";
import { PASSWORD } from "./people.ts";
import { PAYPAL } from "./provider-settings.ts";
import { hashOf, inlineScripts, POLICY, policyOf } from "./response-headers.ts";
import { setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { consultationBody } from "./threads.ts";

describe("a server with an https URL", () => {
  const secure = setUpTestApp({ environment: { PUBLIC_URL: "https://divan.test" } });
  const SAME_ORIGIN = { "sec-fetch-site": "same-origin" };
  const signedIn = (person: TestUser) => ({ ...person, cookie: `__Host-${person.cookie}` });

  test("sends Strict-Transport-Security for two years with pages, errors and redirects", async () => {
    for (const [path, status] of [
      ["/", 200],
      ["/nada", 404],
      ["/nueva-consulta", 302],
      ["/api/session", 200],
      ["/api/nada", 404],
      ["/favicon.svg", 200],
      ["/healthz", 200],
    ] as const) {
      const got = await secure.page(path);
      expect([path, got.status]).toEqual([path, status]);
      expect(got.headers.get("strict-transport-security")).toBe("max-age=63072000; includeSubDomains");
    }
  });

  test("uses __Host- cookies with Secure, HttpOnly and SameSite, and ignores plain session cookies", async () => {
    const person = await secure.person();
    const host = signedIn(person);
    expect((await secure.call("GET", "/session", undefined, person)).body.user).toBeNull();
    expect((await secure.call("GET", "/session", undefined, host)).body.user.id).toBe(person.id);
    const out = await secure.call("DELETE", "/session", {}, host, SAME_ORIGIN);
    expect(out.status).toBe(200);
    expect(out.headers.getSetCookie().length).toBeGreaterThan(0);
    await setPassword(secure, person);
    // The proxy that ends TLS sends plain HTTP; forms must work.
    const fields = { intent: "sign_in", email: person.email, password: PASSWORD };
    const entered = await secure.form("/auth", fields, null, { origin: "https://divan.test" });
    expect(entered.headers.getSetCookie().join()).toContain("__Host-sid=");
    for (const cookie of [...out.headers.getSetCookie(), ...entered.headers.getSetCookie()])
      expect(cookie).toMatch(/^__Host-\w+=[^;]*; Max-Age=\d+; Path=\/; SameSite=Lax; HttpOnly; Secure$/);
  });

  test("writes URLs with the configured origin even if a request has forwarding headers", async () => {
    const person = signedIn(await secure.person());
    const { id } = (await secure.call("POST", "/consultations", consultationBody(), person, SAME_ORIGIN)).body;
    const got = await secure.page(`/consulta/${id}`, null, {
      headers: {
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "http",
        forwarded: "host=evil.example",
        "x-original-url": "/admin",
      },
    });
    expect(got.status).toBe(200);
    expect(got.text).toContain(`https://divan.test/consulta/${id}`);
    expect(got.text).not.toContain("evil.example");
  });
});

describe("the policy with PayPal", () => {
  const HOSTS = "https://*.paypal.com https://*.paypalobjects.com https://*.venmo.com";
  const shop = setUpTestApp({ environment: PAYPAL });
  const buyer = setUpOnce(() => shop.person({ type: "psychologist" }));
  const nonceIn = (policy: string) => /'nonce-([^']+)'/.exec(policy)?.[1] ?? null;

  test("allows PayPal's script on the plans page", async () => {
    const { headers, text } = await shop.page("/planes", buyer);
    const policy = policyOf(headers);
    const nonce = nonceIn(policy)!;
    expect(nonce).toMatch(/^[\w-]{22}$/);
    const hashes = inlineScripts(text).filter(Boolean).map(hashOf);
    const scripts = `'self' ${[...new Set(hashes)].join(" ")} 'nonce-${nonce}' 'strict-dynamic'`;
    const opened = POLICY.map((directive) =>
      directive
        .replace("script-src 'self'", `script-src ${scripts}`)
        .replace(/^style-src 'self'/, "style-src 'self' 'unsafe-inline'")
        .replace(/^(script|style|img|connect)-src .*/, `$& ${HOSTS}`),
    );
    expect(policy.split("; ").toSorted()).toEqual([...opened, `frame-src ${HOSTS}`, `child-src ${HOSTS}`].toSorted());
    expect(headers.get("cross-origin-opener-policy")).toBe("unsafe-none");
    expect(headers.get("cache-control")).toBe("private, no-store, no-transform");
    // The page contains its nonce, and the next page has a different one.
    expect(text).toContain(nonce);
    expect(nonceIn(policyOf((await shop.page("/planes", buyer)).headers))).not.toBe(nonce);
  });

  test("excludes PayPal's script on every other page or response", async () => {
    for (const path of ["/", "/perfil", "/planes.data", "/planes/otra", "/planesx", "/api/plans", "/nada"]) {
      const policy = policyOf((await shop.page(path, buyer)).headers);
      expect([path, policy.includes("paypal"), nonceIn(policy)]).toEqual([path, false, null]);
    }
  });
});
