/** Shows that every text that the specification quotes is on a page, or that a browser test expects it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { SPECIALTIES } from "#shared/specialties.ts";
import type { TestUser } from "./app.ts";
import { openBrowser } from "./browser.ts";
import { withHidden } from "./hidden.ts";
import { form as photoForm } from "./photos.ts";
import { IN_BROWSER, patternOf, quotedTexts, type Texts, wordsOf } from "./quoted-texts.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, consultationBody, openThread, publishAnswer, publishReply } from "./threads.ts";
import { consultationVersion, psychologistVersion } from "./versions.ts";

const app = setUpTestApp({ environment: { DONATION_URL: "https://cafe.example.org/divan" } });
const admin = setUpAdmin(app);

/** A page in a state: function that returns its HTML, texts, values of the texts' placeholders. */
type Situation = [html: () => Promise<string>, texts: Texts, filled?: Record<string, string>];

const page = async (path: string, as: TestUser | null = null) => (await app.page(path, as)).text;

/** Sends a form without JavaScript. @returns the page with the error, or the next page with its toast */
async function press(path: string, fields: Record<string, string>, as: TestUser | null = null): Promise<string> {
  const browser = openBrowser(app);
  if (as) browser.jar.set("sid", as.cookie.slice("sid=".length));
  const response = await browser.form(path, fields);
  const next = response.headers.get("location");
  return next ? (await browser.page(next)).text : response.text;
}

const hiding = (kind: "table" | "view" | "column", name: string, work: () => Promise<string>) =>
  withHidden(app, kind, name, work);

const people = setUpOnce(async () => ({
  user: await app.person(),
  pending: await app.person({ type: "psychologist", verified: false, name: "Pedro Pendiente" }),
  verified: await app.person({ type: "psychologist" }),
  gold: await app.person({ type: "psychologist", gold: "active" }),
  /** A psychologist without free answers. */
  spent: await app.person({ type: "psychologist" }),
  /** A user who has asked anonymously. */
  asked: await app.person(),
}));

const thread = setUpOnce(async () => {
  await app.sql("update psychologist_profiles set free_responses_used = 3 where id = $1", [people.spent.id]);
  const lonely = await ask(app, people.asked);
  const { consultation, answer, author, psychologist } = await openThread(app);
  await publishAnswer(app, consultation, people.verified);
  await publishReply(app, answer, author);
  await app.call("PATCH", `/answers/${answer}`, { content: "Corregida con calma." }, psychologist);
  await app.call("PATCH", `/consultations/${consultation}`, consultationBody({ title: "Otro título" }), author);
  await app.sql(
    `insert into consultations (title, content, country, category, is_anonymous, created_at)
     select 'Una pregunta anterior', 'Algo que alguien preguntó.', 'México', 'Familia', true, now() - make_interval(days => n)
     from generate_series(1, 25) n`,
  );
  return { consultation, answer, lonely };
});

const PSYCHOLOGIST = { full_name: "Otro Nombre", license_number: "MP 1234", specialty: "Otra", country: "Chile" };
const applicant = () => app.person({ type: "psychologist", verified: false });
const decide = async (intent: string, id: string) =>
  press("/admin", { intent, id, version: await psychologistVersion(app, admin, id) }, admin);
/** Approves a psychologist and undoes it. */
async function undoing(meanwhile: (id: string) => Promise<unknown> = async () => {}): Promise<string> {
  const { id } = await applicant();
  await decide("approve", id);
  await meanwhile(id);
  const [decision] = await app.sql<{ id: string }>("select id from audit_log where target_id = $1", [id]);
  return press("/admin", { intent: "undo", id: decision!.id }, admin);
}
/** Sends the form that uploads a photo. */
const uploadPage = async (file: Uint8Array | string, as: TestUser | null) => {
  const response = await app.page("/perfil/foto", as, { method: "POST", body: photoForm(file) });
  return response.headers.has("location") ? page(response.headers.get("location")!, as) : response.text;
};
const answering = (as: TestUser | null) =>
  press(`/consulta/${thread.consultation}/respuesta`, { content: "Te leo." }, as);
const reviewing = (as: TestUser | null) =>
  press(`/psicologo/${people.verified.id}/resena`, { rating: "4", comment: "Pregunta antes de opinar." }, as);
const asking = (as: TestUser | null) =>
  press("/nueva-consulta", { ...consultationBody(), is_anonymous: "on" } as Record<string, string>, as);
async function removing(): Promise<string> {
  const id = await ask(app, await app.person());
  return press(`/consulta/${id}/eliminar`, { version: await consultationVersion(app, admin, id) }, admin);
}
/** Begins a test payment and decides it. @returns the last page, and the plans after it */
async function paying(): Promise<string> {
  const payer = await app.person({ type: "psychologist" });
  const begun = await app.form("/planes", { intent: "pay", plan_type: "monthly", method: "paypal" }, payer);
  return (await press(begun.headers.get("location")!, { intent: "approve" }, payer)) + (await page("/planes", payer));
}

const SITUATIONS: Situation[] = [
  [
    () => page("/home"),
    {
      "S1.3-4": ["Invítanos un café"],
      "S2.0-18": ["Términos de Servicio", "Privacidad"],
      "S2.0-2": ["Iniciar Sesión", "Registrarse"],
      "S2.1-4": [
        "Conecta con Psicólogos Profesionales",
        "Comenzar Ahora",
        "¿Listo para comenzar tu viaje?",
        "Crear Cuenta Gratis",
        "Explorar Consultas Públicas",
      ],
    },
  ],
  [
    () => page("/"),
    {
      "S2.2-1": ["Necesito ayuda ahora"],
      "S2.2-3": ["Inicio", "Iniciar Sesión"],
      "S2.3-1": ["Consultas Públicas", "Ranking de Psicólogos"],
      "S2.3-3": ["Todas"],
      "S2.3-4": ["Más recientes", "Más antiguas", "Más votadas", "Más respondidas", "Sin responder"],
      "S2.3-5": ["Nueva Consulta"],
      "S2.3-9": ["Ver consulta"],
      "S2.3-23": ["¿Eres psicólogo o psicóloga?"],
      "S2.14-1": ["Cargar más"],
      "S3.3-1": CATEGORIES,
      "S2.3-17, S3.3-3": ["Todos"],
      "S4.11-1": ["editado"],
      "S4.12-4": ["Anónimo"],
    },
  ],
  [
    () => page("/", people.gold),
    { "S2.2-3": ["Mi Perfil", "Ver Perfil Público", "Cerrar Sesión"], "S2.3-9": ["Responder"] },
  ],
  [() => page("/", admin), { "S2.2-3": ["Panel de Administración"] }],
  [() => page("/", people.asked), { "S2.3-5": ["Límite alcanzado"] }],
  [() => page("/nueva-consulta", people.asked), { "S8.3-5": ["Límite semanal alcanzado"] }],
  [() => page("/?pais=Panamá&categoria=Duelo"), { "S2.3-12": ["No hay consultas para mostrar en este país."] }],
  [() => page("/?vista=ranking"), { "S2.3-15": ["GOLD", "Calificar"] }],
  [
    () => page("/?vista=ranking&pais=Panamá"),
    { "S2.3-17": ["No hay psicólogos registrados en {country}."] },
    { country: "Panamá" },
  ],
  [
    async () => {
      await app.sql("update psychologist_profiles set rejected_at = verified_at, verified_at = null where is_verified");
      const html = await page("/?vista=ranking");
      await app.sql(
        "update psychologist_profiles set verified_at = rejected_at, rejected_at = null where rejected_at is not null",
      );
      return html;
    },
    { "S2.3-17": ["No hay psicólogos registrados aún."] },
  ],
  [
    () => page(`/consulta/${thread.consultation}`, people.pending),
    {
      "S1.3-4": ["Invítanos un café"],
      "S2.6-5": ["Recientes", "Antiguas", "Más votadas"],
      "S2.6-6": ["Verificado", "Usuario"],
      "S2.6-13": ["Responder como Profesional", "Pendiente de verificación"],
      "S4.11-1": ["editado"],
      "S2.12-5": ["Salida rápida"],
    },
  ],
  [() => page(`/consulta/${thread.consultation}`, people.gold), { "S2.6-13": ["Respuestas ilimitadas"] }],
  [
    () => page(`/consulta/${thread.consultation}`, people.spent),
    { "S2.6-13": ["Límite de respuestas gratuitas alcanzado"] },
  ],
  [
    () => page(`/consulta/${thread.lonely}`),
    { "S2.6-11": ["Aún no hay respuestas de profesionales para esta consulta."], "S4.12-4": ["Anónimo"] },
  ],
  [() => page("/consulta/ninguna"), { "S2.6-11": ["Consulta no encontrada"] }],
  [() => page("/psicologo/nadie"), { "S2.7-2": ["Psicólogo no encontrado"] }],
  [
    async () => {
      const id = people.verified.id;
      for (const as of [people.asked, people.gold])
        await app.call("PUT", `/psychologists/${id}/review`, { rating: 4, show_name: false }, as);
      await app.call("PUT", `/psychologists/${id}/review`, { rating: 3, show_name: false }, people.asked);
      return page(`/psicologo/${id}`, people.user);
    },
    {
      "S2.7-5, S5.6-5": ["MP "],
      "S2.7-5, S4.2-1": ["Verificado"],
      "S2.7-12": ["Escribir una reseña", "Usuario", "Mostrar mi nombre", "Colega"],
      "S4.11-1": ["editado"],
    },
  ],
  [() => page(`/psicologo/${people.pending.id}`), { "S2.7-5": ["Pendiente de verificación"], "S4.2-1": ["Pendiente"] }],
  [() => page(`/psicologo/${people.gold.id}`), { "S2.7-5": ["Membresía Gold"] }],
  [
    async () => {
      const forms: string[] = [];
      for (let rating = 1; rating <= 5; rating++) {
        await app.call("PUT", `/psychologists/${people.gold.id}/review`, { rating, show_name: false }, people.user);
        forms.push(await page(`/psicologo/${people.gold.id}/resena`, people.user));
      }
      return `<body>${forms.map((form) => /<body[\s\S]*<\/body>/.exec(form)![0]).join("")}</body>`;
    },
    { "S3.3-5": ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"] },
  ],
  [() => page("/auth?modo=registro&tipo=psicologo"), { "S3.3-2": SPECIALTIES, "S3.3-3": COUNTRIES }],
  [() => page("/perfil"), { "S2.8-1": ["Debes iniciar sesión para ver tu perfil."] }],
  [
    async () => {
      const person = await app.person();
      await ask(app, person);
      await app.sql("update consultations set user_id = $1 where id = $2", [person.id, thread.consultation]);
      await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
      return page("/perfil", person);
    },
    {
      "S2.8-6": ["Nueva Consulta", "Mis Consultas", "Respondida", "Pendiente", "Anónimo"],
      "S4.7-1": ["Respondida", "Pendiente"],
    },
  ],
  [
    () => page("/admin", people.user),
    { "S2.9-1, S8.6-9": ["Acceso Denegado", "No tienes permisos para acceder a esta página."] },
  ],
  [() => page("/admin", admin), { "S2.9-3": ["Aprobar", "Rechazar"] }],
  [
    async () => decide("approve", (await applicant()).id),
    { "S2.9-13": ["Deshacer"], "S8.6-7": ["Psicólogo aprobado"] },
  ],
  [async () => decide("reject", (await applicant()).id), { "S8.6-8": ["Psicólogo rechazado"] }],
  [
    async () => {
      const { id } = await applicant();
      const version = await psychologistVersion(app, admin, id);
      await app.sql("update profiles set full_name = 'Otro Nombre' where id = $1", [id]);
      return press("/admin", { intent: "approve", id, version }, admin);
    },
    { "S4.2-4, S8.6-10": ["Cambió mientras lo mirabas"] },
  ],
  [() => undoing(), { "S8.6-12": ["Decisión deshecha"] }],
  [
    // Simulates that the mail was sent.
    () => undoing((id) => app.sql("delete from pgboss.job where data ->> 'psychologist_id' = $1", [id])),
    { "S8.6-13": ["Ya no se puede deshacer"] },
  ],
  [
    async () => {
      const { id } = await applicant();
      const version = await psychologistVersion(app, admin, id);
      await app.sql("delete from profiles where id = $1", [id]);
      return press("/admin", { intent: "approve", id, version }, admin);
    },
    { "S8.6-4": ["Ningún registro actualizado"] },
  ],
  [
    () => page("/planes", people.verified),
    { "S2.10-3": ["Mensual", "Lifetime"], "S2.10-11": ["{taken} de 100 lugares ocupados"] },
    { taken: "0" },
  ],
  [() => page("/planes"), { "S2.10-1, S8.8-13": ["Acceso solo para psicólogos"] }],
  [
    paying,
    {
      "S8.8-2": ["¡Suscripción activada!", "Tu membresía Gold ha sido activada exitosamente"],
      "S2.10-3": ["Ya tienes Membresía Gold"],
      "S2.10-8": ["modo de prueba"],
    },
  ],
  [
    () => press("/planes", { intent: "pay", plan_type: "monthly", method: "paypal" }),
    { "S8.8-5": ["Debes iniciar sesión para suscribirse"] },
  ],
  [
    () => press("/planes", { intent: "cancel", id: people.user.id }, people.spent),
    { "S8.8-3": ["No se pudo cancelar la suscripción"] },
  ],
  [
    () => hiding("view", "visible.psychologists", () => page(`/psicologo/${people.gold.id}`, people.user)),
    { "S2.14-1": ["Reintentar"], "S8.2-1": ["No se pudo cargar el perfil del psicólogo"] },
  ],
  [
    () => hiding("view", "visible.consultations", () => page(`/consulta/${thread.consultation}`, people.user)),
    { "S8.3-1": ["No se pudo cargar la consulta"] },
  ],
  [
    () => hiding("view", "visible.consultations", () => page("/", people.user)),
    { "S8.3-2": ["No se pudieron cargar las consultas"] },
  ],
  [
    () => hiding("column", "psychologist_profiles.bio", () => page("/admin", admin)),
    { "S8.6-1": ["No se pudieron cargar los psicólogos pendientes"] },
  ],
  [
    () => hiding("column", "psychologist_profiles.total_reviews", () => page("/admin/psicologos", admin)),
    { "S8.6-2": ["No se pudieron cargar los psicólogos"] },
  ],
  [
    () => hiding("view", "visible.consultations", () => page("/admin/consultas", admin)),
    { "S8.6-3": ["No se pudieron cargar las consultas"] },
  ],
  [
    () => hiding("column", "psychologist_profiles.total_votes", () => page("/", people.gold)),
    { "S8.4-5": ["No se pudo verificar tu estado de psicólogo"] },
  ],
  [
    () =>
      hiding("table", "consultation_votes", () =>
        press(`/consulta/${thread.consultation}/voto`, { vote: "up" }, people.user),
      ),
    { "S8.4-2": ["No se pudo registrar tu voto"] },
  ],
  [() => answering(people.user), { "S8.4-3": ["Solo los psicólogos pueden responder consultas"] }],
  [() => answering(people.pending), { "S8.4-4": ["Cuenta no verificada"] }],
  [() => answering(people.spent), { "S8.4-6": ["Límite alcanzado"] }],
  [
    () => hiding("table", "consultation_responses", () => answering(people.gold)),
    { "S8.4-7": ["No se pudo enviar la respuesta"] },
  ],
  [() => answering(people.gold), { "S8.4-8": ["¡Respuesta enviada!"] }],
  [
    () => page(`/respuesta/${thread.answer}/comentario`, people.gold),
    { "S8.4-10": ["Los psicólogos no pueden crear replies, solo respuestas principales"] },
  ],
  [() => page(`/psicologo/${people.verified.id}`), { "S8.2-2": ["Debes iniciar sesión para dejar una reseña"] }],
  [() => reviewing(people.user), { "S8.2-4": ["¡Reseña enviada!", "Tu reseña ha sido publicada exitosamente"] }],
  [
    () => page("/nueva-consulta", people.verified),
    { "S8.3-4": ["Los psicólogos no pueden crear consultas, solo responderlas"] },
  ],
  [async () => asking(await app.person()), { "S8.3-7": ["¡Consulta creada!"] }],
  [() => hiding("table", "audit_log", () => removing()), { "S8.3-9": ["No se pudo eliminar la consulta"] }],
  [() => removing(), { "S8.3-8": ["Consulta eliminada"] }],
  [() => press("/perfil", { full_name: "Otro Nombre" }, people.user), { "S8.7-2": ["¡Perfil actualizado!"] }],
  [
    () => press("/perfil", PSYCHOLOGIST, people.verified),
    { "S8.7-3": ["Falta la foto de perfil", "Por favor, sube una foto de perfil antes de guardar."] },
  ],
  [
    () => uploadPage("%PDF-1.7", people.verified),
    { "S8.7-5": ["Tipo de archivo no válido", "Por favor, selecciona una imagen (JPG, PNG, GIF, etc.)"] },
  ],
  [
    () => uploadPage(new Uint8Array(5 * 1024 * 1024), people.verified),
    { "S8.7-6": ["Archivo demasiado grande", "El archivo debe ser menor a 5MB"] },
  ],
];

describe.each(SITUATIONS)("a page", (html, texts, filled = {}) => {
  test(`shows the quoted texts of ${Object.keys(texts).join(", ")}`, async () => {
    const words = wordsOf(await html());
    for (const text of Object.values(texts).flat()) expect(words).toMatch(patternOf(text, filled));
  });
});

test("shows the emergency advice if a consultation cannot be rendered", async () => {
  const html = await hiding("view", "visible.consultations", () =>
    page(`/consulta/${thread.consultation}`, people.user),
  );
  expect(wordsOf(html)).toContain("Si hay peligro ahora, llama a los servicios de emergencia de tu país.");
});

test("shows an unused weekly limit if it cannot be read", async () => {
  const html = await hiding("column", "profiles.weekly_window_started_at", () => page("/", people.asked));
  expect(wordsOf(html)).toContain("0 de 1 usada");
});

test.each(Object.entries(IN_BROWSER))("e2e/%s expects its quoted texts", (file, texts) => {
  const source = readFileSync(join(import.meta.dirname, "..", "e2e", file), "utf8");
  for (const text of Object.values(texts).flat()) expect(source).toContain(text);
});

const OUTSIDE = "useAuth must be used within an AuthProvider";
function Outside() {
  useAuth();
  return null;
}

test("useAuth throws outside of its provider", () => {
  expect(() => renderToString(createElement(Outside))).toThrow(OUTSIDE);
});

test("shows every text that the specification quotes", () => {
  const shown = [...SITUATIONS.map(([, texts]) => texts), ...Object.values(IN_BROWSER), { "S8.9-5": [OUTSIDE] }]
    .flatMap((texts) => Object.entries<readonly string[]>(texts))
    .flatMap(([ids, texts]) => ids.split(", ").flatMap((id) => texts.map((text) => `${id} '${text}'`)));
  const quoted = quotedTexts();
  expect(quoted.length).toBeGreaterThan(190);
  expect(quoted.filter((text) => !shown.includes(text))).toEqual([]);
  expect(shown.filter((text) => !quoted.includes(text))).toEqual([]);
});
