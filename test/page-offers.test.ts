/** Shows what pages offer to their viewers: help in a known country, the way to sign in, invitations, and facts. */
import { expect, test } from "vitest";
import { setUpTestApp } from "./suite-setup.ts";
import { ask, openThread, publishAnswer } from "./threads.ts";

const app = setUpTestApp();

type Viewer = Parameters<typeof app.page>[1];
/** Returns a part of a page without scripts and React's comments. */
async function part(name: "header" | "main" | "footer", path: string, as: Viewer = null): Promise<string> {
  const { text } = await app.page(path, as);
  const plain = text.replace(/<script[\s\S]*?<\/script>|<!--[\s\S]*?-->/g, "");
  return new RegExp(`<${name}[\\s\\S]*</${name}>`).exec(plain)![0];
}
const wordsOf = (html: string) => html.replace(/<[^>]*>/g, " ").replace(/\s+/g, " ");
/** Returns the paths of the links with these words. */
const linksTo = (html: string, words: string) =>
  Array.from(html.matchAll(/<a\b[^>]*href="([^"]*)"[^>]*>([\s\S]*?)<\/a>/g))
    .filter(([, , inner]) => wordsOf(inner!).includes(words))
    .map(([, path]) => path!.replaceAll("&amp;", "&"));

test("shows a country without consultations", async () => {
  expect(wordsOf(await part("main", "/?pais=Panamá"))).toContain("No hay consultas para mostrar en este país.");
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
  expect(wordsOf(limit)).toContain("Estas líneas son de Uruguay.");
  expect(linksTo(limit, "Ver todas las líneas")).toEqual(["/ayuda?pais=Uruguay"]);
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

test("explains to a pending psychologist when answering becomes possible", async () => {
  const pending = await app.person({ type: "psychologist", verified: false });
  const { consultation } = await openThread(app);
  const main = await part("main", `/consulta/${consultation}`, pending);
  expect(wordsOf(main)).toContain("24 y 48 horas");
  expect(main).not.toContain("<textarea");
  expect(wordsOf(await part("main", "/", pending))).toContain("Podrás responder cuando verifiquemos tu matrícula.");
});

test("counts the free answers that a psychologist has left", async () => {
  const psychologist = await app.person({ type: "psychologist" });
  for (const [used, words] of [
    [1, "Te quedan 2 respuestas gratuitas"],
    [2, "Te queda 1 respuesta gratuita"],
  ]) {
    await app.sql("update psychologist_profiles set free_responses_used = $1 where id = $2", [used, psychologist.id]);
    for (const path of ["/", "/perfil"]) expect(wordsOf(await part("main", path, psychologist))).toContain(words);
  }
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

test.each(["/", "/home", "/auth", "/auth?modo=registro", "/ayuda", "/contacto", "/terms", "/planes", "/admin", "/x"])(
  "shows the logo with a link to / on %s",
  async (path) => {
    expect(await part("header", path)).toMatch(/<a [^>]*href="\/"[^>]*>(<\w+[^>]*>)*<svg/);
  },
);

test("shows a separate header on the landing page, six benefits and the links of its footer", async () => {
  const header = await part("header", "/home");
  expect(header).not.toContain("<select");
  expect(linksTo(header, "Inicio")).toContain("/home");
  expect(linksTo(header, "Iniciar Sesión")).toContain("/auth");
  for (const path of linksTo(header, "Registrarse")) expect(path).toMatch(/^\/auth\?/);
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
  await openThread(app);
  const main = await part("main", "/");
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
