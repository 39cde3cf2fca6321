/** Shows that each role sees its own controls and texts on the pages that all roles may open. */
import { beforeAll, describe, expect, test } from "vitest";
import type { TestUser } from "./app.ts";
import { personOfEachRole, ROLES, type Role, setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, publishAnswer, publishReply } from "./threads.ts";

const app = setUpTestApp({ environment: { DONATION_URL: "https://cafe.example.org/divan" } });
const people: Record<Role, TestUser | null> = setUpOnce(() => personOfEachRole(app));
let consultation: string;

beforeAll(async () => {
  consultation = await ask(app, await app.person({ name: "Aurora Pregunta" }), { is_anonymous: false });
  const answer = await publishAnswer(app, consultation, people.gold!);
  await publishAnswer(app, consultation, people.verified!);
  await publishReply(app, answer, people.user!);
});

const SIGNED_IN: Role[] = ["user", "pending", "verified", "gold", "admin"];
const PSYCHOLOGISTS: Role[] = ["pending", "verified", "gold"];
const OTHERS: Role[] = ["visitor", "user", "admin"];

const PANELS: Record<string, Role[]> = {
  "Tu semana": ["user", "admin"],
  "Tu consultorio": PSYCHOLOGISTS,
  "La comunidad hoy": [...ROLES],
  "Invítanos un café": [...ROLES],
  "¿Eres psicólogo o psicóloga?": OTHERS,
};

const PAGES: [name: string, path: () => string, texts: Record<string, Role[]>][] = [
  [
    "the list",
    () => "/",
    {
      Inicio: [...ROLES],
      "Iniciar Sesión": ["visitor"],
      "Mi Perfil": SIGNED_IN,
      "Ver Perfil Público": PSYCHOLOGISTS,
      "Panel de Administración": ["admin"],
      "Cerrar Sesión": SIGNED_IN,
      Responder: ["verified", "gold"],
      "¿Eres psicólogo o psicóloga?": OTHERS,
      "Nueva Consulta": OTHERS,
    },
  ],
  [
    "a consultation",
    () => `/consulta/${consultation}`,
    {
      "Responder como Profesional": PSYCHOLOGISTS,
      "Pendiente de verificación": ["pending"],
      "Te quedan 2 de 3": ["verified"],
      "Respuestas ilimitadas": ["gold"],
      Comentar: ["user", "admin"],
      "Eliminar consulta": ["admin"],
    },
  ],
  [
    "a psychologist's profile",
    () => `/psicologo/${people.verified!.id}`,
    {
      "Escribir una reseña": ["visitor", "user", "pending", "gold", "admin"],
      "Debes iniciar sesión para dejar una reseña": ["visitor"],
    },
  ],
  [
    "the plans",
    () => "/planes",
    { Mensual: PSYCHOLOGISTS, Lifetime: PSYCHOLOGISTS, "Acceso solo para psicólogos": OTHERS },
  ],
  [
    "the administration",
    () => "/admin",
    { "Acceso Denegado": ["visitor", "user", ...PSYCHOLOGISTS], Aprobar: ["admin"] },
  ],
];

describe.each(PAGES)("%s", (_name, path, texts) => {
  test.each(ROLES)("shows the role %s only its own controls", async (role) => {
    const { text } = await app.page(path(), people[role]);
    const main = text.replace(/<(script|style|title)\b.*?<\/\1>/gs, "");
    const seen = Object.keys(texts).filter((words) =>
      new RegExp(`>\\s*${words.replace("?", "\\?")}(?![\\p{L}\\d])`, "u").test(main),
    );
    expect(seen).toEqual(Object.keys(texts).filter((words) => texts[words]!.includes(role)));
  });
});

const asideOf = (html: string) => /<aside [^>]*aria-label="Comunidad".*?<\/aside>/s.exec(html)![0];

test.each(ROLES)("shows the role %s its panels next to the list", async (role) => {
  const aside = asideOf((await app.page("/", people[role])).text);
  const expected = Object.keys(PANELS).filter((title) => PANELS[title]!.includes(role));
  expect(Array.from(aside.matchAll(/<h2[^>]*>(.*?)<\/h2>/g), ([, words]) => words)).toEqual(expected);
});

test("links a psychologist to the consultations of the own country without an answer", async () => {
  const chilean = await app.person({ type: "psychologist", country: "Chile" });
  const aside = asideOf((await app.page("/", chilean)).text);
  expect(aside).toMatch(/Sin responder en Chile.*?href="\/\?pais=Chile&amp;orden=pendientes#consultas"/s);
});

test("shows a user whether the weekly limit is used", async () => {
  const author = await app.person();
  const week = async () => asideOf((await app.page("/", author)).text).replace(/(\s|<[^>]+>)+/g, " ");
  expect(await week()).toContain("Te queda 1 consulta");
  expect((await app.page("/", author)).text).toContain('aria-valuemax="1" aria-valuenow="1"');
  await ask(app, author);
  expect(await week()).toContain("1 de 1 usada");
});

test("marks the message of a Gold member for the administrator, with a link to its email", async () => {
  const message = { name: "Guido Gold", email: "guido@example.com", message: "Una pregunta sobre mi membresía." };
  await app.call("POST", "/contact", message, people.gold);
  const { text } = await app.page("/admin/mensajes", people.admin);
  expect(text).toMatch(/<article[^>]*admin-row[\s\S]*>GOLD<[\s\S]*href="mailto:guido@example\.com/);
});
