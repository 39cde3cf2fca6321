/** Shows what pages contain for their viewers: facts, help in a known country, the way to sign in, and invitations. */
import { expect, test } from "vitest";
import type { HelpLinesView } from "#shared/safety.ts";
import { tintOf } from "#shared/tint.ts";
import { wordsOf } from "./markup.tsx";
import { setUpTestApp } from "./suite-setup.ts";
import { ask, openThread, publishAnswer } from "./threads.ts";

const DONATION = "https://cafe.example.org/divan";
const app = setUpTestApp({ environment: { DONATION_URL: DONATION } });

type Viewer = Parameters<typeof app.page>[1];
async function part(name: "header" | "main" | "footer", path: string, as: Viewer = null): Promise<string> {
  const { text } = await app.page(path, as);
  const plain = text.replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, "");
  return new RegExp(`<${name}[\\s\\S]*</${name}>`).exec(plain)![0];
}
const linksTo = (html: string, words: string) =>
  Array.from(html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g))
    .filter(([, , inner]) => wordsOf(inner!).includes(words))
    .map(([, path]) => path!.replaceAll("&amp;", "&"));

test("shows the donation as a text link without an image of another site in its three places", async () => {
  const { consultation } = await openThread(app);
  for (const [path, as] of [
    ["/home", null],
    ["/", await app.person()],
    [`/consulta/${consultation}`, await app.person({ type: "psychologist" })],
  ] as const) {
    const main = await part("main", path, as);
    expect(main, path).toMatch(new RegExp(`<a[^>]*href="${DONATION}"[^>]*>`));
    expect(main, path).toContain("Invítanos un café");
    expect(main, path).not.toMatch(/<img[^>]*src="http/);
    expect(linksTo(await part("footer", path, as), "Invítanos un café")).toEqual([DONATION]);
  }
});

test("names the psychologist of each answer in a heading below the number of answers", async () => {
  const { consultation } = await openThread(app);
  const main = await part("main", `/consulta/${consultation}`);
  const answers = main.slice(main.indexOf('id="respuestas"'));
  expect(answers.match(/<h3>/g)).toHaveLength(answers.match(/<article class="answer"/g)!.length);
});

test("asks the browser not to suggest what others searched for on a shared device", async () => {
  for (const html of [await part("header", "/"), await part("main", "/buscar")]) {
    expect(html.match(/<input\b[^>]*name="q"[^>]*>/g)).toEqual([expect.stringContaining('autoComplete="off"')]);
    // Without JavaScript too.
    expect(html).toMatch(/<form [^>]*action="\/buscar"(?:(?!<\/form>)[\s\S])*<button[^>]*type="submit"[^>]*>Buscar</);
  }
});

test("shows the minimum age and the refusal of refunds in the terms", async () => {
  const words = wordsOf(await part("main", "/terms"));
  expect(words).toContain("Debes tener 18 años o más, o contar con la autorización de tu madre, padre");
  expect(words).toContain("No hay devoluciones una vez pagado");
});

test("shows no number in the headings and paragraphs of the landing page", async () => {
  const texts = (await part("main", "/home")).match(/<(h[123]|p)\b[\s\S]*?<\/\1>/g)!;
  expect(texts.length).toBeGreaterThan(8);
  for (const text of texts) expect(wordsOf(text)).not.toMatch(/\d/);
});

test("warns that WhatsApp shows the visitor's number to the psychologist", async () => {
  const psychologist = await app.person({ type: "psychologist" });
  const path = `/psicologo/${psychologist.id}`;
  expect(await part("main", path)).not.toContain("WhatsApp, se ve tu número");
  await app.sql("update psychologist_profiles set whatsapp = '+54 9 341 555 0147' where id = $1", [psychologist.id]);
  const main = await part("main", path);
  expect(main).toMatch(/href="[^"]*5493415550147/);
  expect(main).toContain("Si escribes por WhatsApp, se ve tu número.");
});

test("shows how to clear a browser's history on the help page", async () => {
  const words = wordsOf(await part("main", "/ayuda"));
  for (const browser of ["Chrome en el teléfono", "Safari en iPhone", "Samsung Internet", "Firefox"])
    expect(words).toContain(browser);
});

test("shows each country's first lines with hours and cost on the help page", async () => {
  const { body } = await app.call<HelpLinesView[]>("GET", "/help-lines/all");
  const main = await part("main", "/ayuda");
  const words = wordsOf(main);
  for (const { country, first, emergency } of body) {
    if (!country) continue;
    expect(main).toContain(`href="/ayuda?pais=${encodeURIComponent(country)}"`);
    for (const { shown_number, hours, cost, reach } of first) {
      // A line with limited reach must show the limit.
      const limit = reach?.startsWith("Desde ") ? null : reach;
      for (const fact of [shown_number, hours, cost?.toLocaleLowerCase("es"), limit])
        if (fact) expect(words, country).toContain(fact);
    }
    for (const { dial_number } of [...first, emergency[0]!])
      expect(main, country).toContain(`href="tel:${encodeURIComponent(dial_number!)}"`);
  }
  // Countries that are not in the list, on screen and in print.
  for (const title of ["Mi país no está en la lista", "En cualquier otro país"]) expect(words).toContain(title);
  expect(words).toContain("pide a alguien que esté cerca que llame por ti");
  expect(words).toContain("Llamar al 911 Emergencias , México");
  const printed = wordsOf(main.split("print-only")[1]!);
  const allOf = ({ first, emergency, others }: HelpLinesView) => [...first, ...emergency, ...others];
  for (const { name, shown_number, contact_url } of body.flatMap(allOf))
    expect(printed).toContain(`${name}: ${shown_number ?? contact_url}`);
  const offlinePage = await part("main", "/sin-conexion");
  const offline = wordsOf(offlinePage);
  const verbs = {
    phone: "Llamar al",
    whatsapp: "Escribir por WhatsApp al",
    mail: "Escribir a",
    chat: "Abrir la página",
  };
  for (const { name, channel, dial_number, contact_url, shown_number, reach } of body.flatMap(allOf)) {
    const url = dial_number ? `tel:${encodeURIComponent(dial_number)}` : contact_url;
    if (url) expect(offlinePage).toContain(`href="${url}"`);
    expect(offline).toContain(url ? `${verbs[channel]} ${shown_number ?? name}` : shown_number);
    if (reach) expect(offline).toContain(`${reach}.`);
  }
  expect(Array.from(offline.matchAll(/Datos revisados (en|entre) /g), ([, range]) => range)).toEqual(
    body.map((lines) => (new Set(allOf(lines).map((line) => line.verified_on.slice(0, 7))).size > 1 ? "entre" : "en")),
  );
});

test("shows the numbers of the other countries below the chosen country's", async () => {
  const choose = "Toca tu país para ver todas sus líneas.";
  expect(await part("main", "/ayuda")).toMatch(/Toca tu país para ver todas sus líneas\.[\s\S]*<form[^>]* id="ninez"/);
  const { text } = await app.page("/ayuda?pais=Chile");
  expect([text.includes("<title>Necesito ayuda ahora: Chile"), text.includes(choose)]).toEqual([true, false]);
  const onScreen = (await part("main", "/ayuda?pais=Chile")).split("print-only")[0]!;
  const [chosen, others] = onScreen.split('id="others"') as [string, string];
  expect(chosen).toContain('href="tel:*4141"');
  expect(chosen).not.toContain('href="tel:8009112000"');
  expect(others).toContain('href="tel:8009112000"');
});

test("shows statistics and the membership on the profile with Gold, and the promotion without it", async () => {
  const owner = await app.person({ type: "psychologist", gold: "active" });
  await app.sql("update psychologist_profiles set total_responses = 1 where id = $1", [owner.id]);
  const gold = wordsOf(await part("main", "/perfil", owner));
  for (const words of ["Visitas al perfil", "Respuestas totales", "Reseñas recibidas", "Votos recibidos"])
    expect(gold).toContain(words);
  expect(gold.indexOf("Editar perfil")).toBeLessThan(gold.indexOf("Estadísticas de tu perfil"));
  expect(gold).not.toContain("Lanzamiento");
  const without = wordsOf(await part("main", "/perfil", await app.person({ type: "psychologist" })));
  expect(without).toMatch(/Para los primeros 100 profesionales: quedan \d+ lugares/);
  expect(without).not.toContain("Visitas al perfil");
});

test.each(["/auth", "/auth?modo=registro", "/home"])("redirects a signed-in user from %s to /", async (path) => {
  const { status, headers } = await app.page(path, await app.person());
  expect([status, headers.get("location")]).toEqual([302, "/"]);
});

const HELP = "Necesito ayuda ahora";

test("links to the help page of the country of the list, or of the viewer's last consultation", async () => {
  const { consultation, author } = await openThread(app);
  for (const place of ["header", "footer"] as const)
    expect(linksTo(await part(place, "/?pais=México"), HELP)).toContain("/ayuda?pais=M%C3%A9xico");
  // The country of another user's consultation does not apply to the viewer.
  for (const path of [`/consulta/${consultation}`, "/terms"])
    expect(new Set(linksTo(await part("header", path), HELP)), path).toEqual(new Set(["/ayuda"]));
  for (const path of ["/?pais=México", `/consulta/${consultation}`])
    expect(new Set(linksTo(await part("header", path, author), HELP)), path).toEqual(new Set(["/ayuda?pais=Uruguay"]));
  const limit = await part("main", "/nueva-consulta", author);
  expect(wordsOf(limit)).toContain("Son líneas de Uruguay:");
  expect(linksTo(limit, "Más líneas")).toEqual(["/ayuda?pais=Uruguay"]);
  for (const number of ["911", "105"]) expect(limit).toContain(`href="tel:${number}"`);
});

test("preserves a consultation that a form without JavaScript sends after the weekly limit was reached", async () => {
  const { author } = await openThread(app);
  const typed = { title: "Lo que sigue sin respuesta", content: "Un texto que nadie más tiene." };
  const fields = { ...typed, country: "Uruguay", is_anonymous: "on" };
  const { status, text } = await app.form("/nueva-consulta", fields, author);
  expect(status).toBe(403);
  for (const words of [typed.title, typed.content, "Límite semanal alcanzado"]) expect(text).toContain(words);
});

test("invites no psychologist to ask on an empty topic or search page", async () => {
  const { psychologist } = await openThread(app);
  for (const [path, invitation] of [
    ["/temas/duelo", "Puedes ser quien empiece."],
    ["/buscar?q=xilofonista", "o pregúntalo: puede ser sin tu nombre."],
  ] as const) {
    expect(wordsOf(await part("main", path))).toContain(invitation);
    expect(wordsOf(await part("main", path, psychologist))).not.toContain(invitation);
  }
});

test("shows below a question the lines of its country to all who may ask, and the ways to share it", async () => {
  const { consultation, author, psychologist } = await openThread(app);
  for (const [as, lines] of [
    [null, true],
    [await app.person(), true],
    [author, true],
    [psychologist, false],
  ] as const) {
    const main = await part("main", `/consulta/${consultation}`, as);
    expect([main.includes('href="tel:08000767"'), main.includes("tel:")]).toEqual([lines, lines]);
    expect(main.match(/href="https:\/\/wa\.me\/\?text=/g)).toHaveLength(1);
  }
});

test("shows a visitor one way to sign in for a reply, after the last answer", async () => {
  const { consultation } = await openThread(app);
  await publishAnswer(app, consultation, await app.person({ type: "psychologist" }));
  const path = `/consulta/${consultation}`;
  const main = await part("main", path);
  const words = "Inicia sesión para comentar";
  expect(linksTo(main, words)).toEqual([`/auth?volver=${path}%23respuestas`]);
  expect(main.indexOf(words)).toBeGreaterThan(main.lastIndexOf("Una respuesta de prueba"));
  expect(await part("main", path, await app.person())).not.toContain(words);
});

test("invites readers of a consultation to ask, except its author and psychologists", async () => {
  const { consultation, author, psychologist } = await openThread(app);
  const invitation = async (as: Viewer) => {
    // The author's document contains the invitation hidden, so that its length is the same.
    const main = (await part("main", `/consulta/${consultation}`, as)).replace(
      /<section[^>]* hidden=""[\s\S]*?<\/section>/g,
      "",
    );
    return main.includes("¿Te pasa algo parecido?") ? linksTo(main, "Nueva Consulta") : [];
  };
  expect(await invitation(null)).toEqual(["/auth?modo=registro&volver=/nueva-consulta"]);
  expect(await invitation(await app.person())).toEqual(["/nueva-consulta"]);
  expect(await invitation(author)).toEqual([]);
  expect(await invitation(psychologist)).toEqual([]);
});

test("shows the controls of a consultation's author to the author, hides them from users and omits them for visitors", async () => {
  const { consultation, author } = await openThread(app);
  const controls = async (as: Viewer) =>
    /<div class="row question__own"([^>]*)>/.exec(await part("main", `/consulta/${consultation}`, as))?.[1];
  expect(await controls(author)).toBe("");
  expect(await controls(await app.person())).toBe(' hidden=""');
  expect(await controls(null)).toBeUndefined();
});

test("explains to a pending psychologist when answering becomes possible", async () => {
  const pending = await app.person({ type: "psychologist", verified: false });
  const { consultation } = await openThread(app);
  const main = await part("main", `/consulta/${consultation}`, pending);
  expect(wordsOf(main)).toContain("24 y 48 horas");
  expect(main).not.toContain("<textarea");
  expect(wordsOf(await part("main", "/", pending))).toContain("Podrás responder cuando verifiquemos tu matrícula.");
});

test.each([
  [1, ["/", "/perfil"], "Te quedan 2 respuestas gratuitas"],
  [2, ["/", "/perfil"], "Te queda 1 respuesta gratuita"],
  [3, ["/perfil"], "Ya usaste tus 3 respuestas gratuitas"],
])("says after %i free answers how many are left", async (used, paths, words) => {
  const psychologist = await app.person({ type: "psychologist", used });
  for (const path of paths) expect(wordsOf(await part("main", path, psychologist))).toContain(words);
});

test("leaves the mail about answers unselected in a form without JavaScript", async () => {
  const form = await part("main", "/nueva-consulta", await app.person());
  expect(/<input[^>]*name="notify_on_answer"[^>]*>/.exec(form)![0]).not.toContain("checked");
});

test("shows the facts of a psychologist on an answer and on the profile", async () => {
  const psychologist = await app.person({ type: "psychologist", country: "Ecuador" });
  for (const rating of [5, 4, 4])
    await app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating, show_name: false }, await app.person());
  const id = await ask(app, await app.person());
  await publishAnswer(app, id, psychologist);
  const answer = wordsOf(await part("main", `/consulta/${id}`));
  for (const fact of ["4,3", "(3 reseñas)"]) expect(answer).toContain(fact);
  const profile = wordsOf(await part("main", `/psicologo/${psychologist.id}`));
  for (const fact of ["Psicología Clínica", "Ecuador", "4,3", "(3 reseñas)", "1 respuesta"])
    expect(profile).toContain(fact);
});

test.each(["/", "/home", "/auth", "/planes", "/x"])("shows the logo with a link to / on %s", async (path) => {
  expect(await part("header", path)).toMatch(/<a [^>]*href="\/"[^>]*>(<\w+[^>]*>)*<svg/);
});

test("shows a separate header on the landing page, six benefits and the links of its footer", async () => {
  const header = await part("header", "/home");
  expect(header).not.toContain("<select");
  expect(linksTo(header, "Inicio")).toContain("/home");
  expect(linksTo(header, "Iniciar Sesión")).toContain("/auth");
  // In the header and in its menu. Other pages have it only in the menu.
  expect(linksTo(header, "Registrarse")).toEqual(Array(2).fill("/auth?modo=registro"));
  expect(linksTo(await part("header", "/terms"), "Registrarse")).toHaveLength(1);
  const main = await part("main", "/home");
  for (const words of ["Comenzar Ahora", "Crear Cuenta Gratis"])
    for (const path of linksTo(main, words)) expect(path).toMatch(/^\/auth\?/);
  expect(new Set(linksTo(main, "Explorar Consultas Públicas"))).toEqual(new Set(["/#consultas"]));
  const [benefits] = /<section[^>]*>\s*(?:<\w+[^>]*>)*<h2[^>]*>Una sala tranquila[\s\S]*?<\/section>/.exec(main)!;
  expect(benefits.match(/<h3/g)).toHaveLength(6);
  const footer = await part("footer", "/home");
  expect([linksTo(footer, "Privacidad"), linksTo(footer, "Términos de Servicio")]).toEqual([["/privacy"], ["/terms"]]);
});

test("shows a visitor the cover, the tabs, the list and the rest on /", async () => {
  const { consultation } = await openThread(app);
  const main = await part("main", "/");
  // A test of tintOf has the rule.
  expect(main).toMatch(
    new RegExp(`consultation-card tint-${tintOf(consultation)}[^>]*>(?:(?!</article>)[\\s\\S])*${consultation}`),
  );
  const parts = [
    "Conecta con Psicólogos Profesionales",
    'aria-label="Secciones"',
    "<article",
    "Una sala tranquila, con todo en su lugar",
    "¿Listo para comenzar tu viaje?",
  ].map((words) => main.indexOf(words));
  expect(parts).toEqual(parts.toSorted((one, other) => one - other));
  expect(Math.min(...parts)).toBeGreaterThan(0);
});

test.each([
  ["pais=Panamá&categoria=Duelo", "En Panamá no hay consultas de Duelo todavía."],
  ["categoria=Duelo", " No hay consultas de Duelo todavía."],
])("names the filters of the empty list /?%s, and keeps them for another order", async (query, words) => {
  const main = await part("main", `/?${query}&orden=antiguas`);
  expect(wordsOf(main)).toContain(words);
  const country = /pais=[^&]+/.exec(encodeURI(query))?.[0];
  expect(linksTo(main, "Quitar los filtros")).toEqual(["/#consultas"]);
  for (const [, name, value] of query.matchAll(/(\w+)=([^&]+)/g))
    expect(main).toContain(`<input type="hidden" name="${name}" value="${value}"/>`);
  // The ranking keeps only the country.
  const ranking = `/?vista=ranking${country ? `&${country}` : ""}#consultas`;
  expect(linksTo(main, "Ranking de Psicólogos")).toEqual([ranking]);
  expect((await app.page(ranking)).text).toContain(`<title>Ranking de Psicólogos${country ? " de Panamá" : ""} ·`);
});

test("says how authors learn of the first answer, with a switch for mails unless all are off", async () => {
  const author = await app.person();
  const path = `/consulta/${await ask(app, author, { notify_on_answer: true })}`;
  const notice = async () => /alguien responda.*/.exec(wordsOf(await part("main", path, author)))![0];
  const turn = (on: string) => app.form(`${path}/editar`, { intent: "mails", notify_on_answer: on }, author);
  expect(await notice()).toMatch(/^alguien responda, y también por correo ?\. No avisarme por correo/);
  await turn("");
  expect(await notice()).toMatch(/^alguien responda ?\. Avisarme también por correo/);
  await turn("on");
  await app.call("PUT", "/notifications/choices", { answers: false }, author);
  expect(await notice()).toMatch(/^alguien responda ?\. Los avisos por correo están desactivados/);
  expect(await part("main", `${path}/editar`, author)).toContain("Los avisos por correo están desactivados.");
});

test("offers an order of the answers from the second one", async () => {
  const { consultation } = await openThread(app);
  const path = `/consulta/${consultation}`;
  expect(await part("main", path)).not.toContain("Ordenar respuestas");
  await publishAnswer(app, consultation, await app.person({ type: "psychologist" }));
  expect(await part("main", path)).toContain("Ordenar respuestas");
});

test("lets only a visitor press the votes of an answer to sign in, and offers only users the thanks", async () => {
  const { consultation, psychologist } = await openThread(app);
  const seen = async (as: Viewer) => {
    const answer = /<article class="answer"[\s\S]*/.exec(await part("main", `/consulta/${consultation}`, as))![0];
    return [/<button[^>]*disabled=""[^>]*>/.test(answer), answer.includes("Esto me ayudó")];
  };
  expect(await seen(null)).toEqual([false, false]);
  expect(await seen(await app.person())).toEqual([false, true]);
  expect(await seen(psychologist)).toEqual([true, false]);
});
