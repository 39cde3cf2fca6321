/**
 * Checks that the response of each read operation and page has a bounded size and number of statements. There are
 * 1,000 rows of each kind, 10,000 in the full run, with the longest texts at both ends of each list.
 */
import { randomUUID } from "node:crypto";
import { beforeAll, describe, expect, test } from "vitest";
import routes from "#app/routes.ts";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { operations } from "./operations.ts";
import { setUpTestApp } from "./suite-setup.ts";

const MANY = FULL_RUN ? 10_000 : 1_000;
const MOST_JSON = 200_000;
const MOST_PAGE = 420_000;
const NOW = new Date("2026-03-02T12:00:00Z");

const app = setUpTestApp();
let user: TestUser;
let psychologist: TestUser;
let admin: TestUser;
/** Ids for the paths. */
let made: Record<
  "noOne" | "consultation" | "answer" | "reply" | "psychologist" | "checkout" | "problem" | "membership",
  string
>;

type Viewer = "visitor" | "user" | "psychologist" | "admin";
type Row = [path: () => string, ...viewers: Viewer[]];
const EVERYONE: Viewer[] = ["visitor", "user", "psychologist", "admin"];
const SIGNED_IN: Viewer[] = ["user", "psychologist", "admin"];
const of =
  (path: string): (() => string) =>
  () =>
    path.replace(/:(\w+)/g, (_, name: keyof typeof made) => made[name]);

/** Every read operation with its viewers. */
const OPERATIONS: Record<string, Row[]> = {
  "accounts.session": [[of("/session"), ...EVERYONE]],
  "accounts.account": [[of("/account"), ...SIGNED_IN]],
  "accounts.profile": [[of("/profile"), ...SIGNED_IN]],
  "secondFactor.read": [[of("/account/second-factor"), ...SIGNED_IN]],
  "ownData.deletionPreview": [[of("/account/deletion"), ...SIGNED_IN]],
  "consultations.list": ["recent", "oldest", "votes", "responses", "unanswered"].map((sort) => [
    of(`/consultations?sort=${sort}`),
    "visitor",
    "user",
  ]),
  "consultations.get": [
    ...["recent", "oldest", "votes"].map((sort): Row => [of(`/consultations/:consultation?sort=${sort}`), ...EVERYONE]),
    [of("/consultations/:consultation?answer=:answer"), "visitor", "user"],
    [of("/consultations/:consultation?reply=:reply"), "visitor", "user"],
  ],
  "consultations.mine": [[of("/profile/consultations"), "user"]],
  "consultations.weeklyLimit": [[of("/weekly-limit"), "user"]],
  "consultations.community": [[of("/community"), "visitor"]],
  "answers.list": ["recent", "oldest", "votes"].map((sort) => [
    of(`/consultations/:consultation/answers?sort=${sort}`),
    "visitor",
    "user",
  ]),
  "answers.own": [[of("/answers/:answer"), "psychologist"]],
  "answers.templates": [[of("/profile/templates"), "user", "psychologist"]],
  "answers.replied": [[of("/profile/replied-answers"), "psychologist"]],
  "notifications.list": [[of("/notifications"), "user", "psychologist"]],
  "notifications.choices": [[of("/notifications/choices"), "user", "psychologist"]],
  "replies.list": [[of("/answers/:answer/replies"), ...EVERYONE]],
  "replies.own": [[of("/replies/:reply"), "user"]],
  "psychologists.ranking": [[of("/psychologists"), ...EVERYONE]],
  "psychologists.viewCount": [[of("/psychologists/:psychologist/views"), "psychologist"]],
  "psychologists.statistics": [[of("/psychologists/:psychologist/statistics"), "psychologist"]],
  "psychologists.get": [[of("/psychologists/:psychologist"), ...EVERYONE]],
  "psychologists.panel": [[of("/psychologists/me/panel"), "psychologist"]],
  "search.consultations": [
    [of("/search?q=pregunta"), "visitor", "user"],
    [of("/search?q=texto+largo&country=Argentina&category=Ansiedad&answered=yes"), "visitor"],
  ],
  "search.suggest": [[of("/search/suggestions?q=preg"), "visitor"]],
  "search.related": [[of("/consultations/:consultation/related"), "visitor"]],
  "safety.helpLines": [[of("/help-lines?country=Argentina"), "visitor"]],
  "safety.allHelpLines": [[of("/help-lines/all"), "visitor"]],
  "memberships.plans": [[of("/plans"), "psychologist"]],
  "memberships.mine": [[of("/memberships"), "psychologist"]],
  "memberships.checkout": [[of("/checkouts/:checkout"), "psychologist"]],
  "inbox.read": [[of("/admin/messages"), "admin"]],
  "payments.read": [[of("/admin/payments"), "admin"]],
  "gold.read": [[of("/admin/psychologists/:psychologist/gold"), "admin"]],
  "funnel.read": [[of("/admin/funnel"), "admin"]],
  "admin.summary": [[of("/admin/summary"), "admin"]],
  "admin.pendingPsychologists": [[of("/admin/psychologists/pending"), "admin"]],
  "admin.psychologists": [[of("/admin/psychologists"), "admin"]],
  "admin.consultations": [
    [of("/admin/consultations"), "admin"],
    [of("/admin/consultations?q=texto"), "admin"],
  ],
  "admin.undoable": [[of("/admin/decisions/undoable"), "admin"]],
  "admin.overdueHelpLines": [[of("/admin/help-lines/overdue"), "admin"]],
  "admin.undeliveredMails": [[of("/admin/mails"), "admin"]],
  "demo.mails": [[of("/demo/mails"), "visitor"]],
};

/** Every page, by its path in `app/routes.ts`, with its viewers. */
const PAGES: Record<string, Row[]> = {
  "": [
    [of("/"), ...EVERYONE],
    [of("/?vista=ranking"), ...EVERYONE],
    [of("/?orden=antiguas"), "visitor"],
  ],
  home: [[of("/home"), "visitor"]],
  auth: [[of("/auth"), "visitor"]],
  "auth/revisa-tu-correo": [[of("/auth/revisa-tu-correo"), "visitor"]],
  "auth/confirmar": [[of("/auth/confirmar"), "visitor"]],
  "auth/recuperar": [[of("/auth/recuperar"), "visitor"]],
  "auth/nueva-contrasena": [[of("/auth/nueva-contrasena"), "visitor"]],
  "auth/codigo": [[of("/auth/codigo"), "visitor"]],
  "auth/navegador": [[of("/auth/navegador"), "visitor"]],
  "baja/:token": [[of(`/baja/${"x".repeat(43)}`), "visitor"]],
  salir: [[of("/salir"), "user"]],
  buscar: [
    [of("/buscar"), "visitor", "user"],
    [of("/buscar?q=pregunta"), ...EVERYONE],
  ],
  temas: [[of("/temas"), ...EVERYONE]],
  "sin-conexion": [[of("/sin-conexion"), ...EVERYONE]],
  "temas/:topic": [[of("/temas/ansiedad"), ...EVERYONE]],
  "paises/:country": [[of("/paises/argentina"), ...EVERYONE]],
  "nueva-consulta": [[of("/nueva-consulta"), "user"]],
  "consulta/:id": [
    [of("/consulta/:consultation"), ...EVERYONE],
    [of("/consulta/:consultation?orden=votadas"), "visitor"],
    [of("/consulta/:consultation?respuesta=:answer"), "user"],
    [of("/consulta/:consultation?comentario=:reply"), "user"],
  ],
  "consulta/:id/editar": [[of("/consulta/:consultation/editar"), "user"]],
  "consulta/:id/eliminar": [[of("/consulta/:consultation/eliminar"), "user"]],
  "consulta/:id/voto": [[of("/consulta/:consultation/voto"), "user"]],
  "consulta/:id/respuesta": [[of("/consulta/:consultation/respuesta"), "psychologist"]],
  "respuesta/:id/editar": [[of("/respuesta/:answer/editar"), "psychologist"]],
  "respuesta/:id/eliminar": [[of("/respuesta/:answer/eliminar"), "psychologist"]],
  "respuesta/:id/voto": [[of("/respuesta/:answer/voto"), "user"]],
  "respuesta/:id/gracias": [[of("/respuesta/:answer/gracias"), "user"]],
  "respuesta/:id/comentario": [[of("/respuesta/:answer/comentario"), "user"]],
  "comentario/:id/editar": [[of("/comentario/:reply/editar"), "user"]],
  "comentario/:id/eliminar": [[of("/comentario/:reply/eliminar"), "user"]],
  "psicologo/:id": [[of("/psicologo/:psychologist"), ...EVERYONE]],
  "psicologo/:id/resena": [[of("/psicologo/:psychologist/resena"), "user"]],
  perfil: [[of("/perfil"), "user", "psychologist"]],
  notificaciones: [[of("/notificaciones"), "user", "psychologist"]],
  "perfil/foto": [[of("/perfil/foto"), "user"]],
  cuenta: [[of("/cuenta"), ...SIGNED_IN]],
  "cuenta/correo": [[of("/cuenta/correo"), "user"]],
  "cuenta/segundo-paso": [[of("/cuenta/segundo-paso"), "user"]],
  "cuenta/datos": [[of("/cuenta/datos"), "user"]],
  "cuenta/eliminar": [[of("/cuenta/eliminar"), "user", "psychologist"]],
  admin: [[of("/admin"), "admin"]],
  "admin/mensajes": [[of("/admin/mensajes"), "admin"]],
  "admin/membresias": [[of("/admin/membresias"), "admin"]],
  "admin/consultas": [[of("/admin/consultas"), "admin"]],
  "admin/psicologos": [[of("/admin/psicologos"), "admin"]],
  "admin/ayuda": [[of("/admin/ayuda"), "admin"]],
  planes: [[of("/planes"), "psychologist"]],
  "planes/pago/:id": [[of("/planes/pago/:checkout"), "psychologist"]],
  "planes/pago/:id/fin": [[of("/planes/pago/:checkout/fin"), "psychologist"]],
  contacto: [[of("/contacto"), "user"]],
  "admin/pago/:id/vincular": [[of("/admin/pago/:problem/vincular"), "admin"]],
  "admin/cancelacion/:id/cerrar": [[of("/admin/cancelacion/:membership/cerrar"), "admin"]],
  "admin/psicologo/:id/gold": [[of("/admin/psicologo/:psychologist/gold"), "admin"]],
  ayuda: [[of("/ayuda"), "visitor"]],
  terms: [[of("/terms"), "visitor"]],
  privacy: [[of("/privacy"), "visitor"]],
  tema: [[of("/tema"), "visitor"]],
  "api/docs": [[of("/api/docs"), "visitor"]],
  "*": [
    [of("/no-hay-nada"), "visitor"],
    [of("/correo"), "visitor"],
  ],
};

/** True if the query loads the first page and then the page of the named item. */
const looksTwice = (address: string) => /[?&](answer|reply|respuesta|comentario)=/.test(address);

type Cost = { status: number; bytes: number; statements: number };
const people = (): Record<Viewer, TestUser | null> => ({ visitor: null, user, psychologist, admin });

async function costOf(kind: "api" | "page", path: string, viewer: Viewer): Promise<Cost> {
  const cost = { status: 0, bytes: 0, statements: 0 };
  const statements = await app.statementsDuring(async () => {
    const as = people()[viewer];
    const { status, text } = await (kind === "api" ? app.call("GET", path, undefined, as) : app.page(path, as));
    Object.assign(cost, { status, bytes: Buffer.byteLength(text) });
  });
  return { ...cost, statements: statements.length };
}

/** Measures each row sequentially, because statements of other requests must not be counted. */
async function costs(): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const [kind, table] of [
    ["api", OPERATIONS],
    ["page", PAGES],
  ] as const)
    for (const [name, rows] of Object.entries(table))
      for (const [path, ...viewers] of rows)
        for (const viewer of viewers)
          found.set(`${kind} ${name} ${viewer} ${path()}`, await costOf(kind, path(), viewer));
  return found;
}

/** Inserts the rows `from` to `to` of every list. */
async function fill(from: number, to: number): Promise<void> {
  // Long texts in the rows with which a list can begin.
  const text = (length: number) =>
    `case when n <= 60 or n > ${MANY} - 60 then rpad('Un texto largo ', ${length}, 'y algo más ') else 'Un texto de los muchos que hay' end`;
  const when = `'2026-01-01T00:00:00Z'::timestamptz + n * interval '1 minute'`;
  const statements = [
    `insert into profiles (id, full_name, email, user_type) select md5('person' || n)::uuid, 'Persona ' || n, n || '@example.com', case when n % 3 = 0 then 'user' else 'psychologist' end`,
    `insert into psychologist_profiles (id, license_number, country, bio, verified_at, rejected_at, rating, total_reviews, created_at)
     select md5('person' || n)::uuid, 'MP 1234', 'Argentina', ${text(1500)}, case when n % 3 = 1 then ${when} end,
       case when n % 3 = 2 then ${when} end, case when n % 3 = 1 then 4 end, case when n % 3 = 1 then 9 else 0 end, ${when}`,
    `insert into consultations (id, title, content, country, category, is_anonymous, user_id, created_at)
     select md5('consultation' || n)::uuid, 'Una pregunta de muchas', ${text(5000)}, 'Argentina', 'Ansiedad', true, $1, ${when}`,
    `insert into consultation_responses (id, consultation_id, psychologist_id, content, created_at)
     select md5('answer' || n)::uuid, md5('consultation1')::uuid, $2, ${text(5000)}, ${when}`,
    `insert into consultation_responses (consultation_id, psychologist_id, content, created_at)
     select md5('consultation' || n)::uuid, $2, 'Una más', ${when}`,
    // Replies to the first answer, and to each answer of the first page.
    `insert into consultation_replies (id, response_id, user_id, content, created_at)
     select md5('reply' || n)::uuid, md5('answer1')::uuid, $1, ${text(5000)}, ${when}`,
    `insert into consultation_replies (response_id, user_id, content, created_at)
     select md5('answer' || (${to} - n % least(20, ${to})))::uuid, $1, rpad('Otro ', 5000, 'comentario '), ${when}`,
    `insert into consultation_votes (consultation_id, user_id, vote_type) select md5('consultation' || n)::uuid, $1, 'up'`,
    `insert into response_thanks (response_id) select md5('answer1')::uuid`,
    `insert into response_votes (response_id, user_id, vote_type) select md5('answer' || n)::uuid, $1, 'up'`,
    `insert into psychologist_reviews (psychologist_id, user_id, rating, comment, show_name, created_at)
     select $2, md5('person' || n)::uuid, 4, ${text(1000)}, true, ${when}`,
    `insert into profile_view_counts (psychologist_id, viewed_on, views) select $2, '2026-03-01'::date - n, 3`,
    ...["$1", "$2", "$3"].flatMap((id) => [
      `insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at, device)
       select md5(${id}::text || n)::uuid, ${id}, ''::bytea, ${when}, ${when}, '2027-01-01', 'Firefox en Android'`,
      `insert into consents (profile_id, kind, version, accepted_at, withdrawn_at) select ${id}, 'health_data', ('2000-01-01'::date + n)::text, ${when}, ${when}`,
      `insert into email_changes (id, account_id, old_email, new_email, token_hash, undo_hash, created_at, confirmed_at, expires_at)
       select gen_random_uuid(), ${id}, 'a@example.com', 'b@example.com', sha256((${id}::text || n)::bytea), sha256((n || ${id}::text)::bytea), ${when}, ${when}, ${when}`,
    ]),
    `insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, state, end_wanted_at, created_at)
     select md5('agreement' || n)::uuid, $2, 'paypal', 'paypal', 'I-' || n, 'monthly', 999, 'USD', 'active', ${when}, ${when}`,
    `insert into subscriptions (id, checkout_id, psychologist_id, provider, external_subscription_id, plan_type, amount, currency, status, ended_by, cancelled_at, created_at)
     select md5('subscription' || n)::uuid, md5('agreement' || n)::uuid, $2, 'paypal', 'I-' || n, 'monthly', 999, 'USD', 'cancelled', 'person', ${when}, ${when}`,
    `insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at)
     select md5('subscription' || (${to} - n % least(3, ${to})))::uuid, 'paypal', 'P-' || n, 999, 'USD', 'completed', ${when}`,
    `insert into payment_problems (id, kind, provider, external_id, psychologist_id, created_at) select md5('problem' || n)::uuid, 'unmatched', 'paypal', 'X-' || n, $2, ${when}`,
    `insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, state, created_at)
     select md5('checkout' || n)::uuid, $2, 'paypal', 'paypal', 'C-' || n, 'monthly', 999, 'USD', 'failed', ${when}`,
    ...["null", when].map(
      (handled) => `insert into contact_messages (name, email, message, from_gold, created_at, handled_at)
       select 'Alguien', 'alguien@example.com', ${text(5000)}, n % 2 = 0, ${when}, ${handled}`,
    ),
    `insert into demo_mails (recipient, subject, text, created_at) select 'a@example.com', 'Un correo', rpad('Un texto ', 2500, 'de correo '), ${when}`,
    `insert into gold_grants (psychologist_id, starts_at, ends_at, reason, ended_at) select $2, ${when}, '2030-01-01', ${text(500)}, ${when}`,
    `insert into analytics_events (name, happened_at) select 'view_premium_plans', '2026-03-01T00:00:00Z'`,
    `insert into audit_log (action, created_at) select 'psychologist_approved', ${when}`,
    `insert into deleted_items (id, kind) select gen_random_uuid(), 'reply'`,
    `insert into pgboss.job (name, data, state, output) select 'mail', '{"kind": "receipt"}', 'failed'::pgboss.job_state, jsonb_build_object('message', repeat('No entra. ', 300))`,
  ];
  const ids = { $1: user.id, $2: psychologist.id, $3: admin.id };
  for (const statement of statements) {
    const named = statement.replace(/\$[123]/g, (name) => `'${ids[name as keyof typeof ids]}'::uuid`);
    await app.sql(`${named} from generate_series(${from}, ${to}) n`);
  }
  // The limit of their number bounds this list.
  await app.sql(
    `insert into answer_templates (psychologist_id, title, content) select $1, 'Un texto ' || n, ${text(5000)}
     from generate_series(${from}, ${Math.min(to, LIMITS.templates)}) n`,
    [psychologist.id],
  );
  await app.sql(
    "update consultations c set response_count = (select count(*) from consultation_responses r where r.consultation_id = c.id)",
  );
  await app.sql(
    "update consultation_responses r set reply_count = (select count(*) from consultation_replies p where p.response_id = r.id)",
  );
  await app.sql("analyze");
}

const operationsThatRead = operations.filter(({ method }) => method === "GET").map(({ name }) => name);
const pathsOfPages = (routes[0]!.children ?? []).flatMap((page) => page.children ?? page).map(({ path }) => path ?? "");

let few: Map<string, Cost>;
let many: Map<string, Cost>;
beforeAll(async () => {
  // Fixes the clock, so that cached numbers do not expire between two measurements.
  app.setNow(NOW);
  user = await app.person();
  psychologist = await app.person({ type: "psychologist", gold: "active", country: "Argentina" });
  admin = await app.admin();
  const md5 = async (text: string) => (await app.sql<{ id: string }>("select md5($1)::uuid as id", [text]))[0]!.id;
  made = {
    noOne: randomUUID(),
    consultation: await md5("consultation1"),
    answer: await md5("answer1"),
    reply: await md5("reply1"),
    psychologist: psychologist.id,
    checkout: await md5("checkout1"),
    problem: await md5("problem1"),
    membership: await md5("subscription1"),
  };
  await fill(1, 1);
  await app.page("/");
  few = await costs();
  await fill(2, MANY);
  many = await costs();
});

test("includes every read operation and every page", () => {
  expect(Object.keys(OPERATIONS).sort()).toEqual(operationsThatRead.sort());
  expect(Object.keys(PAGES).sort()).toEqual(pathsOfPages.sort());
});

describe.each([
  ["api", OPERATIONS, MOST_JSON],
  ["page", PAGES, MOST_PAGE],
] as const)("%s", (kind, table, most) => {
  test.each(Object.keys(table))(
    "%s has a bounded response size and number of statements with many rows of each kind",
    (name) => {
      const problems = [...many]
        .filter(([key]) => key.startsWith(`${kind} ${name} `))
        .flatMap(([key, { status, bytes, statements }]) => {
          const before = few.get(key)!;
          return [
            ...(bytes > most ? [`${key}: ${bytes} bytes`] : []),
            ...(statements < before.statements || statements > before.statements * (looksTwice(key) ? 2 : 1)
              ? [`${key}: ${before.statements} statements became ${statements}`]
              : []),
            ...(status !== before.status || (kind === "api" && status !== 200) ? [`${key}: status ${status}`] : []),
          ];
        });
      expect(problems).toEqual([]);
    },
  );
});
