/** Shows that every text that the specification quotes is on a page, or that a browser test expects it. */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { describe, expect, test } from "vitest";
import { useAuth } from "#app/lib/auth-context.tsx";
import type { TestUser } from "./app.ts";
import { openBrowser } from "./browser.ts";
import { withHidden } from "./hidden.ts";
import { form as photoForm } from "./photos.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "./suite-setup.ts";
import { ask, consultationBody, openThread, publishAnswer, publishReply } from "./threads.ts";
import { consultationVersion, psychologistVersion } from "./versions.ts";

/** Requirements whose texts only appear in a browser, by the test that expects the texts. */
const IN_BROWSER: Record<string, string> = {
  "app/memberships/checkout-return.test.ts": "S8.8-6",
  "e2e/contents.spec.ts": "S8.7-4, S8.7-7, S8.7-8",
  "e2e/decisions.spec.ts": "S8.6-5, S8.6-6",
  "e2e/faults.spec.ts": "S8.2-3, S8.3-3, S8.3-6, S8.4-9, S8.7-1",
  "e2e/feed-and-votes.spec.ts": "S8.1-1, S8.4-1",
  "e2e/paying-mercadopago.spec.ts": "S8.8-9",
  "e2e/sessions.spec.ts": "S8.5-1, S8.5-2",
  "e2e/test-payments.spec.ts": "S8.8-1, S8.8-4, S8.8-7, S8.8-8, S8.8-10, S8.8-11, S8.8-12",
};

/** Matches text in single quotes. An apostrophe follows a letter, so it does not open a quote. */
const QUOTES = /(?<![\p{L}\d])'([^']+)'(?![\p{L}\d])/gu;

type Quoted = { id: string; text: string };

/** All texts that the specification quotes, with the ids of their requirements. */
const QUOTED: Quoted[] = readFileSync(join(import.meta.dirname, "..", "docs", "specification.md"), "utf8")
  .split("\n")
  .flatMap((line, at) => {
    const id = /\*\*(S[\d.]+-\d+)\*\*/.exec(line)?.[1];
    return Array.from(line.replace(/`[^`]*`/g, "").matchAll(QUOTES), ([, text]) => {
      if (!id) throw new Error(`Line ${at + 1} of the specification quotes a text but has no id.`);
      return { id, text: text! };
    });
  });

/** Returns the texts of requirements: all texts of "S1.2-3", or some of them of "S1.2-3: one text|another". */
const quotedBy = (requirements: string): Quoted[] =>
  requirements.split(", ").flatMap((entry) => {
    const [id, texts] = entry.split(": ");
    const found = QUOTED.filter((one) => one.id === id && (!texts || texts.split("|").includes(one.text)));
    if (found.length < (texts?.split("|").length ?? 1)) throw new Error(`The specification does not quote ${entry}.`);
    return found;
  });

const wordsOf = (html: string) =>
  /<body[\s\S]*<\/body>/
    .exec(html)![0]
    .replace(/<(script|style|noscript)\b[\s\S]*?<\/\1>/g, "")
    .replace(/<(\w+)[^>]*class="[^"]*visually-hidden[^"]*"[^>]*>[^<]*<\/\1>/g, "")
    .replace(/<!--[\s\S]*?-->/g, "")
    .replace(/<[^>]*>/g, " ")
    .replace(/\s+/g, " ");

function patternOf(text: string, filled: Record<string, string>): RegExp {
  const words = text.replace(/\{(\w+)\}/g, (_, name: string) => filled[name]!);
  const escaped = words.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(`(?<![\\p{L}\\d])${escaped}${/[\p{L}\d]$/u.test(text) ? "(?![\\p{L}\\d])" : ""}`, "u");
}

const app = setUpTestApp({ environment: { DONATION_URL: "https://cafe.example.org/divan" } });
const admin = setUpAdmin(app);

/** A page in a state: its HTML, requirements whose texts it shows, values of the texts' placeholders. */
type Situation = [html: () => Promise<string>, requirements: string, filled?: Record<string, string>];

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
  spent: await app.person({ type: "psychologist", used: 3 }),
  asked: await app.person(),
}));

const thread = setUpOnce(async () => {
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
async function deciding(meanwhile: (id: string) => Promise<unknown>): Promise<string> {
  const { id } = await applicant();
  const version = await psychologistVersion(app, admin, id);
  await meanwhile(id);
  return press("/admin", { intent: "approve", id, version }, admin);
}
async function undoing(meanwhile: (id: string) => Promise<unknown> = async () => {}): Promise<string> {
  const { id } = await applicant();
  await decide("approve", id);
  await meanwhile(id);
  const [decision] = await app.sql<{ id: string }>("select id from audit_log where target_id = $1", [id]);
  return press("/admin", { intent: "undo", id: decision!.id }, admin);
}
const uploadPage = async (file: Uint8Array | string, as: TestUser | null) => {
  const response = await app.page("/perfil/foto", as, { method: "POST", body: photoForm(file) });
  return response.headers.has("location") ? page(response.headers.get("location")!, as) : response.text;
};
const answering = (as: TestUser | null) =>
  press(`/consulta/${thread.consultation}/respuesta`, { content: "Te leo." }, as);
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
  [() => page("/home"), "S1.3-4, S2.0-2, S2.0-18, S2.1-4"],
  [
    () => page("/"),
    `S2.2-1, S2.2-3: Inicio|Iniciar Sesión, S2.3-1, S2.3-3, S2.3-4, S2.3-5: Nueva Consulta, S2.3-9: Ver consulta, S2.3-17: Todos, S2.3-23, S2.14-1: Cargar más, S3.3-1, S3.3-3, S4.11-1, S4.12-4`,
  ],
  [() => page("/", people.gold), "S2.2-3: Mi Perfil|Ver Perfil Público|Cerrar Sesión, S2.3-9: Responder"],
  [() => page("/", admin), "S2.2-3: Panel de Administración"],
  [() => page("/", people.asked), "S2.3-5: Límite alcanzado"],
  [() => page("/nueva-consulta", people.asked), "S8.3-5"],
  [() => page("/?pais=Panamá&categoria=Duelo"), "S2.3-12"],
  [() => page("/?vista=ranking"), "S2.3-15"],
  [
    () => page("/?vista=ranking&pais=Panamá"),
    "S2.3-17: No hay psicólogos registrados en {country}.",
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
    "S2.3-17: No hay psicólogos registrados aún.",
  ],
  [
    () => page(`/consulta/${thread.consultation}`, people.pending),
    "S1.3-4, S2.6-5, S2.6-6, S2.6-13: Responder como Profesional|Pendiente de verificación, S2.12-5, S4.11-1",
  ],
  [() => page(`/consulta/${thread.consultation}`, people.gold), "S2.6-13: Respuestas ilimitadas"],
  [() => page(`/consulta/${thread.consultation}`, people.spent), "S2.6-13: Límite de respuestas gratuitas alcanzado"],
  [
    () => page(`/consulta/${thread.lonely}`),
    "S2.6-11: Aún no hay respuestas de profesionales para esta consulta., S4.12-4",
  ],
  [() => page("/consulta/ninguna"), "S2.6-11: Consulta no encontrada"],
  [() => page("/psicologo/nadie"), "S2.7-2"],
  [
    async () => {
      const id = people.verified.id;
      for (const as of [people.asked, people.gold])
        await app.call("PUT", `/psychologists/${id}/review`, { rating: 4, show_name: false }, as);
      await app.call("PUT", `/psychologists/${id}/review`, { rating: 3, show_name: false }, people.asked);
      return page(`/psicologo/${id}`, people.user);
    },
    "S2.7-5: MP |Verificado, S2.7-12, S4.2-1: Verificado, S4.11-1, S5.6-5",
  ],
  [() => page(`/psicologo/${people.pending.id}`), "S2.7-5: Pendiente de verificación, S4.2-1: Pendiente"],
  [() => page(`/psicologo/${people.gold.id}`), "S2.7-5: Membresía Gold"],
  [
    async () => {
      const forms: string[] = [];
      for (let rating = 1; rating <= 5; rating++) {
        await app.call("PUT", `/psychologists/${people.gold.id}/review`, { rating, show_name: false }, people.user);
        forms.push(await page(`/psicologo/${people.gold.id}/resena`, people.user));
      }
      return `<body>${forms.map((form) => /<body[\s\S]*<\/body>/.exec(form)![0]).join("")}</body>`;
    },
    "S3.3-5",
  ],
  [() => page("/auth?modo=registro&tipo=psicologo"), "S3.3-2"],
  [() => page("/perfil"), "S2.8-1"],
  [
    async () => {
      const person = await app.person();
      await ask(app, person);
      await app.sql("update consultations set user_id = $1 where id = $2", [person.id, thread.consultation]);
      await app.sql("update profiles set weekly_consultations_used = 0 where id = $1", [person.id]);
      return page("/perfil", person);
    },
    "S2.8-6, S4.7-1",
  ],
  [() => page("/admin", people.user), "S2.9-1, S8.6-9"],
  [() => page("/admin", admin), "S2.9-3"],
  [async () => decide("approve", (await applicant()).id), "S2.9-13, S8.6-7"],
  [async () => decide("reject", (await applicant()).id), "S8.6-8"],
  [
    () => deciding((id) => app.sql("update profiles set full_name = 'Otro Nombre' where id = $1", [id])),
    "S4.2-4, S8.6-10",
  ],
  [() => undoing(), "S8.6-12"],
  [
    // Simulates that the mail was sent.
    () => undoing((id) => app.sql("delete from pgboss.job where data ->> 'psychologist_id' = $1", [id])),
    "S8.6-13",
  ],
  [() => deciding((id) => app.sql("delete from profiles where id = $1", [id])), "S8.6-4"],
  [() => page("/planes", people.verified), "S2.10-3: Mensual|Lifetime, S2.10-11", { taken: "0" }],
  [() => page("/planes"), "S2.10-1, S8.8-13"],
  [paying, "S2.10-3: Ya tienes Membresía Gold, S2.10-8, S8.8-2"],
  [() => press("/planes", { intent: "pay", plan_type: "monthly", method: "paypal" }), "S8.8-5"],
  [() => press("/planes", { intent: "cancel", id: people.user.id }, people.spent), "S8.8-3"],
  [
    () => hiding("view", "visible.psychologists", () => page(`/psicologo/${people.gold.id}`, people.user)),
    "S2.14-1: Reintentar, S8.2-1",
  ],
  [
    () => hiding("view", "visible.consultations", () => page(`/consulta/${thread.consultation}`, people.user)),
    "S8.3-1",
  ],
  [() => hiding("view", "visible.consultations", () => page("/", people.user)), "S8.3-2"],
  [() => hiding("column", "psychologist_profiles.bio", () => page("/admin", admin)), "S8.6-1"],
  [() => hiding("column", "psychologist_profiles.total_reviews", () => page("/admin/psicologos", admin)), "S8.6-2"],
  [() => hiding("view", "visible.consultations", () => page("/admin/consultas", admin)), "S8.6-3"],
  [() => hiding("column", "psychologist_profiles.total_votes", () => page("/", people.gold)), "S8.4-5"],
  [
    () =>
      hiding("table", "consultation_votes", () =>
        press(`/consulta/${thread.consultation}/voto`, { vote: "up" }, people.user),
      ),
    "S8.4-2",
  ],
  [() => answering(people.user), "S8.4-3"],
  [() => answering(people.pending), "S8.4-4"],
  [() => answering(people.spent), "S8.4-6"],
  [() => hiding("table", "consultation_responses", () => answering(people.gold)), "S8.4-7"],
  [() => answering(people.gold), "S8.4-8"],
  [() => page(`/respuesta/${thread.answer}/comentario`, people.gold), "S8.4-10"],
  [() => page(`/psicologo/${people.verified.id}`), "S8.2-2"],
  [
    () => press(`/psicologo/${people.verified.id}/resena`, { rating: "4", comment: "Pregunta." }, people.user),
    "S8.2-4",
  ],
  [() => page("/nueva-consulta", people.verified), "S8.3-4"],
  [async () => asking(await app.person()), "S8.3-7"],
  [() => hiding("table", "audit_log", () => removing()), "S8.3-9"],
  [() => removing(), "S8.3-8"],
  [() => press("/perfil", { full_name: "Otro Nombre" }, people.user), "S8.7-2"],
  [() => press("/perfil", PSYCHOLOGIST, people.verified), "S8.7-3"],
  [() => uploadPage("%PDF-1.7", people.verified), "S8.7-5"],
  [() => uploadPage(new Uint8Array(5 * 1024 * 1024), people.verified), "S8.7-6"],
];

describe.each(SITUATIONS)("a page", (html, requirements, filled = {}) => {
  test(`shows the quoted texts of ${requirements}`, async () => {
    const words = wordsOf(await html());
    for (const { text } of quotedBy(requirements)) expect(words).toMatch(patternOf(text, filled));
  });
});

test("shows the emergency advice if a consultation cannot be rendered", async () => {
  const html = await hiding("view", "visible.consultations", () =>
    page(`/consulta/${thread.consultation}`, people.user),
  );
  expect(wordsOf(html)).toContain("Si hay peligro ahora, llama a los servicios de emergencia de tu país.");
});

test.each(Object.entries(IN_BROWSER))("%s expects its quoted texts", (file, requirements) => {
  const source = readFileSync(join(import.meta.dirname, "..", file), "utf8");
  for (const { text } of quotedBy(requirements)) expect(source).toContain(text);
});

function Outside() {
  useAuth();
  return null;
}

test("useAuth throws outside of its provider", () => {
  const [quoted] = quotedBy("S8.9-5");
  expect(() => renderToString(createElement(Outside))).toThrow(quoted!.text);
});

test("shows every text that the specification quotes", () => {
  expect(QUOTED.length).toBeGreaterThan(190);
  const shown = [...SITUATIONS.map(([, requirements]) => requirements), ...Object.values(IN_BROWSER), "S8.9-5"];
  const found = new Set(shown.flatMap(quotedBy));
  expect(QUOTED.filter((one) => !found.has(one))).toEqual([]);
});
