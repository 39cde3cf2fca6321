import { request } from "node:http";
import { describe, expect, test } from "vitest";
import { openTestApp, type TestApp } from "#test/app.ts";
import { mailServer } from "#test/mail-server.ts";
import { registration, uniqueEmail } from "#test/people.ts";

const smtp = mailServer();

describe("demo mails", () => {
  /**
   * Sends a request over loopback with chosen headers, as a local program or proxy does. `fetch` does not allow another
   * Host.
   */
  const ask = (app: TestApp, path: string, headers: Record<string, string>) =>
    new Promise<{ status: number; text: string }>((done, fail) => {
      const { port } = new URL(app.url);
      request({ host: "127.0.0.1", port, path, headers: { host: `localhost:${port}`, ...headers } }, (response) => {
        let text = "";
        response.setEncoding("utf8").on("data", (part) => (text += part));
        response.on("end", () => done({ status: response.statusCode!, text }));
      })
        .on("error", fail)
        .end();
    });

  test.each(["", "127.0.0.1"])(
    "leave the server only for the machine itself, never through a proxy (TRUSTED_PROXIES=%s)",
    async (proxies) => {
      const app = await openTestApp({ workers: true, environment: { TRUSTED_PROXIES: proxies } });
      try {
        const email = uniqueEmail();
        await app.call("POST", "/registrations", registration(email));
        const { text } = await app.mailTo(email, /Confirma tu correo/);
        const token = /token=([\w-]{43})/.exec(text)![1]!;
        const { port } = new URL(app.url);
        for (const host of [`localhost:${port}`, "127.0.0.1", `[::1]:${port}`, "divan.localhost"]) {
          const list = await ask(app, "/api/demo/mails", { host });
          expect(list.status, host).toBe(200);
          expect(JSON.parse(list.text)).toMatchObject([{ to: email, subject: "Confirma tu correo en Diván" }]);
          expect((await ask(app, "/correo", { host })).text).toContain(token);
        }
        const passedOn: Record<string, string>[] = [
          ...["127.0.0.1", "::1", "203.0.113.5", "127.0.0.1, 203.0.113.5", "::ffff:10.0.0.1", "unknown", ""].map(
            (address) => ({ "x-forwarded-for": address }),
          ),
          { Forwarded: "for=127.0.0.1" },
          { "X-Forwarded-Host": "divan.example" },
          { "X-Forwarded-Proto": "https" },
          { "X-Forwarded": "for=127.0.0.1" },
          { "X-Real-IP": "127.0.0.1" },
          { Via: "1.1 proxy" },
          { "CF-Connecting-IP": "127.0.0.1" },
          { "True-Client-IP": "127.0.0.1" },
          { "X-Client-IP": "127.0.0.1" },
          { "X-Cluster-Client-IP": "127.0.0.1" },
          { "Fastly-Client-IP": "127.0.0.1" },
          { "Fly-Client-IP": "127.0.0.1" },
          { "X-Envoy-External-Address": "127.0.0.1" },
          { "X-Amzn-Trace-Id": "Root=1" },
          { "X-Original-URL": "/correo" },
          ...[
            "Forwarded-For",
            "Forwarded-For-IP",
            "X-Forward-For",
            "X-Originating-IP",
            "X-Client",
            "Proxy-Client-IP",
            "WL-Proxy-Client-IP",
            "HTTP-Client-IP",
            "X-ARR-ClientIP",
            "X-Sucuri-ClientIP",
            "Incap-Client-IP",
            "Akamai-Origin-Hop",
            "X-Akamai-Edgescape",
            "X-Varnish",
            "X-Host",
            "X-Rewrite-URL",
            "Surrogate-Capability",
            "X-Cloud-Trace-Context",
          ].map((name) => ({ [name]: "127.0.0.1" })),
          // A foreign page whose name resolves to this machine (DNS rebinding), and a proxy that forwards the Host
          // header.
          { host: "evil.example" },
          { host: `localhost.evil.example:${port}` },
          { host: "127.0.0.1.evil.example" },
          { host: "192.168.1.7" },
        ];
        const paths = ["/api/demo/mails", "/correo", "/correo.data", "/_.data?_routes=routes%2Fmails"];
        // All paths ask the same function about the headers.
        for (const [at, headers] of passedOn.entries())
          for (const path of at < 8 || headers.host ? paths : paths.slice(0, 1)) {
            const got = await ask(app, path, headers);
            const what = `${path} ${JSON.stringify(headers)}`;
            expect(got.text, what).not.toContain(token);
            if (!path.startsWith("/_.")) expect(got.status, what).toBe(404);
          }
        for (const path of ["/auth/revisa-tu-correo", "/auth/recuperar?enviado=1"]) {
          expect((await ask(app, path, {})).text, path).toContain('href="/correo"');
          expect((await ask(app, path, passedOn[0]!)).text, path).not.toContain('href="/correo"');
        }
      } finally {
        await app.close();
      }
    },
  );

  test("show a note that mails leave if SMTP_URL is set", async () => {
    const app = await openTestApp({ environment: { SMTP_URL: smtp.url } });
    try {
      const { text } = await ask(app, "/correo", {});
      expect(text).toContain("los correos salen de verdad");
      expect(text).not.toMatch(/No salen de esta máquina|habría enviado|aparece aquí/);
    } finally {
      await app.close();
    }
  });

  test("respond 404 in production even to the machine itself or the administrator", async () => {
    const app = await openTestApp({ environment: { DEMO: "off", SMTP_URL: smtp.url } });
    try {
      await app.sql(
        "insert into demo_mails (recipient, subject, text) values ('a@b.example', 'x', 'secreto de antes')",
      );
      for (const person of [null, await app.admin()]) {
        expect((await app.call("GET", "/demo/mails", undefined, person)).status).toBe(404);
        const page = await app.page("/correo", person);
        expect(page.status).toBe(404);
        expect(page.text).not.toContain("secreto de antes");
        app.setNow(new Date());
        for (const path of ["/correo", "/correo.data"]) {
          const got = async (as: string) => {
            const { status, text, headers } = await app.page(as, person);
            const all = [status, text, ...headers].map(String).filter((part) => !/ GMT$/.test(part));
            return all.map((part) => part.replaceAll("correa", "correo"));
          };
          expect(await got(path), path).toEqual(await got(path.replace("correo", "correa")));
        }
        app.setNow(null);
      }
    } finally {
      await app.close();
    }
  });
});
