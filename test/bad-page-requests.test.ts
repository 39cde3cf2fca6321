import { describe, expect, test } from "vitest";
import { sampleOf, setUpHostileInputApp, takeTurns } from "./hostile-input.ts";
import { addressOf, pages } from "./pages.ts";

const { app, user, psychologist, admin, thread } = setUpHostileInputApp();

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

  test.each(sampleOf(addresses, 4))("%s responds below 500 to malformed query parameters", async (path) => {
    const queries = [
      ..."% a=% pais=Atl%C3%A1ntida pais=%00 pais=__proto__ pais=a&pais=b pais[]=a categoria=%ED%A0%80".split(" "),
      ..."orden=constructor cursor=abc token=%00 token=a&token=b volver=//evil.example modo=__proto__ index".split(" "),
      ..."volver=/%0d%0aset-cookie:a _routes= _routes=nope _routes=root,home/home enviado=%00".split(" "),
      `token=${"a".repeat(500)}`,
    ];
    for (const query of sampleOf(queries, 6))
      for (const address of [at(path), `${path === "/" ? "/_" : at(path)}.data`])
        for (const as of takeTurns([null, user])) {
          const page = await app.page(`${address}?${query}`, as);
          expect([query, page.status < 500]).toEqual([query, true]);
          const location = page.headers.get("location");
          if (location) expect(new URL(location, app.url).origin).toBe(app.url);
        }
  });

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
