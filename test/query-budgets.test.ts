/**
 * Checks that the response of each read operation and page has a bounded size and number of statements. There are
 * 1,000 rows of each kind, 10,000 in the full run, with the longest texts at both ends of each list.
 */
import { beforeAll, describe, expect, test } from "vitest";
import { LIMITS } from "#shared/limits.ts";
import type { TestUser } from "./app.ts";
import { FULL_RUN } from "./full-run.ts";
import { operations } from "./operations.ts";
import { pages } from "./pages.ts";
import { setUpAdmin, setUpOnce, setUpTestApp } from "./suite-setup.ts";

const MANY = FULL_RUN ? 10_000 : 1_000;
const MOST_JSON = 200_000;
const MOST_PAGE = 420_000;
const NOW = new Date("2026-03-02T12:00:00Z");

const app = setUpTestApp();
const user = setUpOnce(() => app.person());
const psychologist = setUpOnce(() => app.person({ type: "psychologist", gold: "active", country: "Argentina" }));
const admin = setUpAdmin(app);
let made: Record<"consultation" | "answer" | "reply" | "psychologist" | "checkout" | "problem" | "membership", string>;

type Viewer = "visitor" | "user" | "psychologist" | "admin";
const people = (): Record<Viewer, TestUser | null> => ({ visitor: null, user, psychologist, admin });
/** Exact numbers of statements of the most visited pages. If one grows, every visit becomes slower. */
const STATEMENTS: Record<string, Partial<Record<Viewer, number>>> = {
  "/": { visitor: 2, user: 5, psychologist: 6 },
  "/?vista=ranking": { visitor: 2, user: 5, psychologist: 7 },
  "/consulta/:id": { visitor: 5, user: 10, psychologist: 11 },
  "/psicologo/:id": { visitor: 3, user: 5, psychologist: 8 },
};

/** Viewers who see the most of a path. The pages of visitors redirect users. */
function viewersOf(path: string): Viewer[] {
  if (path.startsWith("/admin")) return ["admin"];
  if (/^\/(home|auth|baja)/.test(path)) return ["visitor"];
  return path in STATEMENTS ? ["visitor", "user", "psychologist"] : ["user", "psychologist"];
}

const IDS: [beginning: RegExp, kind: keyof typeof made][] = [
  [/^\/admin\/pago/, "problem"],
  [/^\/(planes\/pago|checkouts)/, "checkout"],
  [/^\/(admin\/)?(psychologists|psicologo)/, "psychologist"],
  [/^\/(answers|respuesta)/, "answer"],
  [/^\/(replies|comentario)/, "reply"],
  [/^\/consulta/, "consultation"],
];
const addressOf = (path: string) =>
  path
    .replace(/\{id\}|:id/, () => made[IDS.find(([beginning]) => beginning.test(path))![1]])
    .replace(/:(answer|reply)/, (_, kind: "answer" | "reply") => made[kind])
    .replace(":topic", "ansiedad")
    .replace(":country", "argentina")
    .replace(":token", "x".repeat(43))
    .replace("*", "no-hay-nada");

/** Queries of lists that have several, by the path of the operation or page. Others are read without a query. */
const QUERIES: Record<string, string[]> = {
  "/consultations": ["recent", "oldest", "votes", "responses", "unanswered"].map((sort) => `?sort=${sort}`),
  "/consultations/{id}": ["?sort=recent", "?sort=oldest", "?sort=votes", "?answer=:answer", "?reply=:reply"],
  "/consultations/{id}/answers": ["?sort=recent", "?sort=oldest", "?sort=votes"],
  "/search": ["?q=pregunta", "?q=texto+largo&country=Argentina&category=Ansiedad&answered=yes"],
  "/search/suggestions": ["?q=preg"],
  "/help-lines": ["?country=Argentina"],
  "/admin/consultations": ["", "?q=texto"],
  "/": ["", "?vista=ranking", "?orden=antiguas"],
  "/buscar": ["", "?q=pregunta"],
  "/consulta/:id": ["", "?orden=votadas", "?respuesta=:answer", "?comentario=:reply"],
};
/** True if the query loads the first page and then the page of the named item. */
const looksTwice = (address: string) => /[?&](answer|reply|respuesta|comentario)=/.test(address);

const reads = operations.filter(({ method }) => method === "GET").map(({ path }) => path);
const pagePaths = pages.map(({ path }) => path);
const queriesOf = (path: string) => QUERIES[path] ?? [""];

type Cost = { status: number; bytes: number; statements: number };
async function costOf(kind: "api" | "page", path: string, viewer: Viewer): Promise<Cost> {
  const cost = { status: 0, bytes: 0, statements: 0 };
  const statements = await app.statementsDuring(async () => {
    const as = people()[viewer];
    const { status, text } = await (kind === "api" ? app.call("GET", path, undefined, as) : app.page(path, as));
    Object.assign(cost, { status, bytes: Buffer.byteLength(text) });
  });
  return { ...cost, statements: statements.length };
}

/** Measures each address sequentially, because statements of other requests must not be counted. */
async function costs(): Promise<Map<string, Cost>> {
  const found = new Map<string, Cost>();
  for (const [kind, paths] of [
    ["api", reads],
    ["page", pagePaths],
  ] as const)
    for (const path of paths)
      for (const query of queriesOf(path))
        for (const viewer of viewersOf(path))
          found.set(`${kind} ${path}${query} ${viewer}`, await costOf(kind, addressOf(path + query), viewer));
  return found;
}

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
    `insert into checkouts (id, psychologist_id, provider, method, external_id, plan_type, amount, currency, state, end_wanted_at, created_at, status, ended_by, cancelled_at, began_at)
     select md5('subscription' || n)::uuid, $2, 'paypal', 'paypal', 'I-' || n, 'monthly', 999, 'USD', 'active', ${when}, ${when}, 'cancelled', 'person', ${when}, ${when}`,
    `insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at)
     select md5('subscription' || (${to} - n % least(3, ${to})))::uuid, 'paypal', 'P-' || n, 999, 'USD', 'completed', ${when}`,
    `insert into payment_problems (id, kind, provider, external_id, created_at) select md5('problem' || n)::uuid, 'unmatched', 'paypal', 'X-' || n, ${when}`,
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
    `insert into deleted_items (id) select gen_random_uuid()`,
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

let few: Map<string, Cost>;
let many: Map<string, Cost>;
beforeAll(async () => {
  // Fixes the clock, so that nothing expires between two measurements.
  app.setNow(NOW);
  const md5 = async (text: string) => (await app.sql<{ id: string }>("select md5($1)::uuid as id", [text]))[0]!.id;
  made = {
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

describe.each([
  ["api", reads, MOST_JSON],
  ["page", pagePaths, MOST_PAGE],
] as const)("%s", (kind, paths, most) => {
  test.each(paths)("%s has a bounded response size and number of statements with many rows of each kind", (path) => {
    const names = queriesOf(path).flatMap((query) =>
      viewersOf(path).map((viewer) => `${kind} ${path}${query} ${viewer}`),
    );
    const problems = names.flatMap((name) => {
      const [before, after] = [few.get(name)!, many.get(name)!];
      const allowed = before.statements * (looksTwice(name) ? 2 : 1);
      return [
        ...(after.bytes > most ? [`${name}: ${after.bytes} bytes`] : []),
        ...(after.statements < before.statements || after.statements > allowed
          ? [`${name}: ${before.statements} statements became ${after.statements}`]
          : []),
        ...(after.status !== before.status ? [`${name}: status ${after.status}`] : []),
      ];
    });
    expect(problems).toEqual([]);
    if (kind === "api") expect(names.map((name) => many.get(name)!.status)).toContain(200);
  });
});

test("the most visited pages need a fixed number of statements", () => {
  const found = Object.entries(STATEMENTS).map(([path, byViewer]) => [
    path,
    Object.fromEntries(Object.keys(byViewer).map((viewer) => [viewer, many.get(`page ${path} ${viewer}`)!.statements])),
  ]);
  expect(Object.fromEntries(found)).toEqual(STATEMENTS);
});
