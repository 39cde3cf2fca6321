import { describe, expect, test } from "vitest";
import type { TestUser } from "./app.ts";
import {
  expectRefusal,
  fieldsOf,
  reads,
  sampleOf,
  setUpHostileInputApp,
  takeTurns,
  VALID_VALUES,
} from "./hostile-input.ts";
import { addressOf, pages } from "./pages.ts";
import { exchange } from "./raw-request.ts";

const { app, user, psychologist, admin, askers, thread, send } = setUpHostileInputApp();

test.each(sampleOf(reads, 2))("$name refuses a query parameter that occurs twice", async (operation) => {
  for (const field of fieldsOf(operation)) {
    const value = encodeURIComponent(String(VALID_VALUES[field] ?? "a"));
    const body = expectRefusal(
      await send(operation, `${field}=${value}&${field}=${value}`, askers(operation)[0]!),
      field,
    );
    expect(Object.keys(body.fields ?? {})).toEqual([field]);
  }
});

describe("an unknown value in the URL of a list", () => {
  const ID = "0f8fad5b-d9cb-469f-a165-70867728950e";
  test.each([
    ["/?pais=XX", "/", null],
    ["/?pais=XX&categoria=Duelo&orden=zzz&de=boletin", "/?categoria=Duelo", null],
    ["/?categoria=Nada", "/", null],
    ["/?vista=otra&pais=Chile", "/?pais=Chile", null],
    ["/?vista=ranking&pais=XX", "/?vista=ranking", null],
    ["/?pais=Chile&cursor=abc", "/?pais=Chile", null],
    [`/consulta/:consultation?orden=zzz&desde=abc`, `/consulta/:consultation?desde=abc`, null],
    [`/consulta/:consultation?orden=antiguas&desde=abc`, `/consulta/:consultation?orden=antiguas`, null],
    [`/consulta/:consultation?respuesta=${ID}&comentarios=abc`, `/consulta/:consultation?respuesta=${ID}`, null],
    ["/perfil?cursor=abc", "/perfil", "user"],
    ["/admin?cursor=abc", "/admin", "admin"],
    ["/admin/consultas?q=sala&cursor=abc", "/admin/consultas?q=sala", "admin"],
    ["/admin/psicologos?estado=x&gold=y&pais=z", "/admin/psicologos", "admin"],
    ["/admin/psicologos?gold=si&cursor=abc", "/admin/psicologos?gold=si", "admin"],
  ] as const)("redirects %s to %s with 302", async (path, to, as) => {
    const at = (address: string) => address.replace(":consultation", thread.consultation);
    const who = as === "admin" ? admin : as === "user" ? user : null;
    const page = await app.page(at(path), who);
    expect([page.status, page.headers.get("location")]).toEqual([302, at(to)]);
    const [pathname, query] = at(path).split("?") as [string, string];
    const data = await app.page(`${pathname === "/" ? "/_" : pathname}.data?${query}`, who);
    expect([data.status, data.text.includes(at(to)), data.text.includes("_routes")]).toEqual([202, true, false]);
  });

  test("shows an error at the search field for an invalid search text", async () => {
    const unreadable = "Hay caracteres que no podemos leer. Bórralos y escribe de nuevo.";
    for (const [q, words] of [
      ["%00", unreadable],
      ["%ff", unreadable],
      ["a".repeat(500), "Como máximo 100 caracteres; ahora hay 500."],
    ] as const) {
      const page = await app.page(`/admin/consultas?q=${q}`, admin);
      expect(page.status).toBe(200);
      const field = /<main.*?(<input[^>]*name="q"[^>]*>)/s.exec(page.text)![1]!;
      const failed = page.text.includes("No se pudieron cargar las consultas");
      expect([field.includes('aria-invalid="true"'), failed], q.slice(0, 9)).toEqual([true, false]);
      expect(page.text).toContain(words);
    }
  });
});

// The tests of sessions and of the cookie jar have more.
test("leaves a visitor with a malformed cookie signed out", async () => {
  for (const cookie of [
    ...";;;=;; sid sid=%00%ff%zz notice=__proto__ notice=%7B%7D check_mail=% check_mail=email=%ff".split(" "),
    "__proto__=1; constructor=2; toString=3",
    "theme=<script>alert(1)</script>",
    `a=${"x".repeat(7000)}`,
    Array.from({ length: 500 }, (_, i) => `c${i}=1`).join(";"),
    "\u00ff\u00fe=\u0080",
  ]) {
    const as = { cookie } as TestUser;
    expect((await app.call("GET", "/weekly-limit", undefined, as)).status, cookie).toBe(401);
    for (const path of ["/", "/auth/revisa-tu-correo"]) {
      const page = await app.page(path, as);
      expect([cookie, path, page.status]).toEqual([cookie, path, 200]);
      expect(page.text).not.toContain("alert(1)");
    }
  }
});

describe("a malformed URL", () => {
  const CANARY = "canario-7f3a";
  /** Sends a raw request line and waits until the connection ends. */
  const sendLine = (line: string) => {
    const { host, origin } = new URL(app.url);
    const own = [`Host: ${host}`, `Origin: ${origin}`, "Accept: text/html", "Content-Length: 0", "Connection: close"];
    const hostile = [`Referer: ${origin}/${CANARY}%ff`, `Cookie: sid=${CANARY}; notice=%${CANARY}`];
    const headers = [...own, ...hostile].join("\r\n");
    return exchange(app.url, `${line} HTTP/1.1\r\n${headers}\r\n\r\n`);
  };

  test("leaves no part of it in the log", async () => {
    const broken = ["%E0%A4%A", "%", "%00", "%2f", "%25ff", "\xff\xfe"];
    const paths = broken.flatMap((bytes) => [
      `/${bytes}${CANARY}`,
      `//${CANARY}/${bytes}`,
      `/consulta/${CANARY}${bytes}`,
      `/consulta/${CANARY}${bytes}.data`,
      `/assets/${CANARY}${bytes}`,
      `/avatars/${CANARY}${bytes}`,
      `/api/consultations/${CANARY}${bytes}`,
      `/api/${CANARY}${bytes}`,
      `/?q=${CANARY}${bytes}`,
      `/auth/nueva-contrasena?token=${CANARY}${bytes}`,
      `/_.data?_routes=${CANARY}${bytes}`,
      `/__manifest?paths=${CANARY}${bytes}`,
      `http://${CANARY}.example/${bytes}`,
    ]);
    paths.push(`http://[${CANARY}/`, `http://${CANARY}:99999/`, `/${CANARY.repeat(900)}`, CANARY);
    const lines = paths.flatMap((path) => [`GET ${path}`, `POST ${path}`]);
    for (let at = 0; at < lines.length; at += 10) await Promise.all(lines.slice(at, at + 10).map(sendLine));
    expect(app.log.join("\n")).not.toContain(CANARY);
  });
});

describe("pages", () => {
  const addresses = pages.filter(({ path }) => !path.includes("*")).map(({ path }) => [path] as const);
  const at = (path: string) => addressOf(path, { ...thread, psychologist: psychologist.id });

  test.each([
    ["/consulta/not-an-id", "Consulta no encontrada"],
    ["/consulta/00000000-0000-4000-8000-000000000000", "Consulta no encontrada"],
    ["/consulta/__proto__", "Consulta no encontrada"],
    ["/consulta/%00", "Consulta no encontrada"],
    ["/psicologo/not-an-id", "Psicólogo no encontrado"],
    ["/psicologo/00000000-0000-4000-8000-000000000000", "Psicólogo no encontrado"],
    ["/nada", "Página no encontrada"],
    ["/consulta", "Página no encontrada"],
    ["/nada/de/nada", "Página no encontrada"],
    ["/wp-login.php", "Página no encontrada"],
    ["/.git/config", "Página no encontrada"],
    ["/%2e%2e/%2e%2e/etc/passwd", "Página no encontrada"],
    ["/assets/nothing.js", "Página no encontrada"],
    ["/constructor", "Página no encontrada"],
    ["/favicon.png", "Página no encontrada"],
  ])("%s responds 404 with the title: %s", async (path, words) => {
    for (const as of [null, user, psychologist]) {
      const page = await app.page(path, as);
      expect(page.status).toBe(404);
      expect(page.headers.get("content-type")).toBe("text/html; charset=utf-8");
      expect(page.text).toContain(`${words}</h1>`);
      expect(page.text).toMatch(new RegExp(`<title>${words} · `));
    }
  });

  const BROKEN = "/% /%zz /consulta/% /consulta/%E0%A4%A /%E0%A4%A //evil.example /\\evil.example /consulta/%ED%A0%80";
  test.each([...BROKEN.split(" "), `/${"a".repeat(8000)}`])(
    "%s responds with an error or a redirect within the site",
    async (path) => {
      const page = await app.page(path);
      expect(page.status).toBeGreaterThanOrEqual(300);
      expect(page.status).toBeLessThan(500);
      if (page.status < 400) expect(new URL(page.headers.get("location")!, app.url).origin).toBe(app.url);
    },
  );

  const FORMS = [
    "",
    "&&==&&",
    "vote=%&content=%zz&email=%E0%A4%A",
    "intent=approve&return_to=%00&vote=%00&content=%00&title=%00&email=%00&password=%00&token=%00&theme=%00&id=%00",
    "intent=sign_in&return_to=%00&email=%00&password=%00",
    "intent=reject&vote=%ED%A0%80&content=%ED%A0%80&title=%ED%A0%80&email=%ED%A0%80&token=%ED%A0%80&id=%ED%A0%80",
    "__proto__=1&__proto__[is_admin]=true&constructor=2&toString=3&vote=up",
    "is_admin=true&user_id=1&is_verified=true&gold_until=infinity&content=Un+texto&intent=sign_up",
    Array.from({ length: 1000 }, (_, i) => `f${i}=1`).join("&"),
    "vote=up&vote=down&vote=none&content=a&content=b&email=a&email=b",
    "id=abc&intent=approve",
    "return_to=//evil.example&back=//evil.example&theme=dark",
  ];
  test.each(sampleOf(addresses, 4))("%s responds below 500 to a malformed form", async (path) => {
    for (const body of sampleOf(FORMS, 6))
      for (const as of path === "/salir"
        ? [null]
        : takeTurns([null, path === "/admin" ? admin : path.endsWith("/respuesta") ? psychologist : user]))
        for (const address of [at(path), `${path === "/" ? "/_" : at(path)}.data`]) {
          const headers = { "content-type": "application/x-www-form-urlencoded" };
          const got = await app.page(address, as, { method: "POST", body, headers });
          expect([body.slice(0, 80), got.status < 500, got.status]).toEqual([body.slice(0, 80), true, got.status]);
          expect(got.text).not.toMatch(/\n\s+at /);
          const location = got.headers.get("location");
          if (location) expect(new URL(location, app.url).origin).toBe(app.url);
        }
    expect(await app.sql("select from psychologist_profiles where gold_until = 'infinity'")).toEqual([]);
  });
});
