import { describe, expect, onTestFinished, test } from "vitest";
import { openTestApp, type TestApp } from "#test/app.ts";
import { mailServer } from "#test/mail-server.ts";
import { registration, uniqueEmail } from "#test/people.ts";
import { rawRequest } from "#test/raw-request.ts";
import { isLocalRequest } from "../http/origin.ts";

const smtp = mailServer();

describe("isLocalRequest", () => {
  const isLocal = (headers: Record<string, string>, peer = "127.0.0.1") =>
    isLocalRequest(peer, new Headers({ host: "localhost:3000", ...headers }));

  test("returns true only for loopback under a name of this machine", () => {
    for (const host of ["localhost:3000", "127.0.0.1", "[::1]:3000", "divan.localhost"])
      for (const peer of ["127.0.0.1", "::1", "::ffff:127.0.0.1"]) expect(isLocal({ host }, peer), host).toBe(true);
    expect(isLocal({}, "192.168.1.7")).toBe(false);
    // Foreign pages whose name resolves to this machine (DNS rebinding), and proxies that forward the Host header.
    for (const host of ["evil.example", "localhost.evil.example:3000", "127.0.0.1.evil.example", "192.168.1.7"])
      expect(isLocal({ host }), host).toBe(false);
  });

  const PROXY_HEADERS =
    "Forwarded|Forwarded-For|Forwarded-For-IP|Via|X-Forwarded-For|X-Forwarded-Host|X-Forwarded-Proto|X-Forwarded|" +
    "X-Forward-For|X-Real-IP|X-Originating-IP|CF-Connecting-IP|True-Client-IP|X-Client|X-Client-IP|" +
    "X-Cluster-Client-IP|Proxy-Client-IP|WL-Proxy-Client-IP|HTTP-Client-IP|Fastly-Client-IP|Fly-Client-IP|" +
    "X-ARR-ClientIP|X-Sucuri-ClientIP|Incap-Client-IP|X-Envoy-External-Address|X-Amzn-Trace-Id|Akamai-Origin-Hop|" +
    "X-Akamai-Edgescape|X-Varnish|X-Host|X-Original-URL|X-Rewrite-URL|Surrogate-Capability|X-Cloud-Trace-Context";
  test.each(PROXY_HEADERS.split("|"))("returns false for a request with %s", (name) => {
    for (const value of ["127.0.0.1", ""]) expect(isLocal({ [name]: value })).toBe(false);
  });
});

describe("demo mails", () => {
  /** Sends a request over loopback with chosen headers, as a local program or proxy does. */
  const ask = async (app: TestApp, path: string, headers: Record<string, string>) => {
    const { status, body } = await rawRequest(app, path, { host: `localhost:${new URL(app.url).port}`, ...headers });
    return { status, text: body.toString() };
  };

  test("leave the server only for the machine itself, never through a proxy", async () => {
    const app = await openTestApp({ workers: true, environment: { TRUSTED_PROXIES: "127.0.0.1" } });
    onTestFinished(app.close);
    const [first, email] = [uniqueEmail(), uniqueEmail()];
    await app.call("POST", "/registrations", registration(first));
    await app.mailTo(first, /Confirma tu correo/);
    await app.call("POST", "/registrations", registration(email));
    const { text } = await app.mailTo(email, /Confirma tu correo/);
    const token = /token=([\w-]{43})/.exec(text)![1]!;
    const { port } = new URL(app.url);
    for (const host of [`localhost:${port}`, "127.0.0.1"]) {
      const list = await ask(app, "/api/demo/mails", { host });
      expect(list.status, host).toBe(200);
      expect(JSON.parse(list.text)).toMatchObject([{ to: email }, { to: first }]);
      expect((await ask(app, "/correo", { host })).text).toContain(token);
    }
    const proxied = { "x-forwarded-for": "127.0.0.1" };
    for (const headers of [proxied, { host: "evil.example" }] as Record<string, string>[])
      for (const path of ["/api/demo/mails", "/correo", "/correo.data", "/_.data?_routes=routes%2Fmails"]) {
        const got = await ask(app, path, headers);
        expect(got.text, path).not.toContain(token);
        if (!path.startsWith("/_.")) expect(got.status, path).toBe(404);
      }
    for (const path of ["/auth/revisa-tu-correo", "/auth/recuperar?enviado=1"]) {
      expect((await ask(app, path, {})).text, path).toContain('href="/correo"');
      expect((await ask(app, path, proxied)).text, path).not.toContain('href="/correo"');
    }
  });

  test("respond 404 in production even to the machine itself or the administrator", async () => {
    const app = await openTestApp({ environment: { DEMO: "off", SMTP_URL: smtp.url } });
    onTestFinished(app.close);
    await app.sql("insert into demo_mails (recipient, subject, text) values ('a@b.example', 'x', 'secreto de antes')");
    for (const person of [null, await app.admin()]) {
      expect((await app.call("GET", "/demo/mails", undefined, person)).status).toBe(404);
      const page = await app.page("/correo", person);
      expect(page.status).toBe(404);
      expect(page.text).not.toContain("secreto de antes");
    }
  });
});
