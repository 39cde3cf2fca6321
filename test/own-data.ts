/** Accounts whose data is exported or deleted, and queries of the remaining data. */
import { randomBytes } from "node:crypto";
import { expect } from "vitest";
import { CONSENTS_OF } from "#shared/consents.ts";
import type { PersonOptions, TestApp, TestUser } from "./app.ts";
import { ask, resetWeeklyLimit } from "./threads.ts";

/** Creates a user who entered the password just now, with the consents of a registration. */
export async function consentingUser(app: TestApp, options: PersonOptions = {}): Promise<TestUser> {
  const person = await app.person(options);
  const { id } = person;
  await app.sql("update sessions set password_at = now(), device = 'Canario en Canarias' where account_id = $1", [id]);
  const consents =
    "insert into consents (profile_id, kind, version, accepted_at) select $1, unnest($2::text[]), '1', now()";
  await app.sql(consents, [id, CONSENTS_OF[options.type ?? "user"]]);
  return person;
}

export const consentingUsers = <Options extends PersonOptions[]>(app: TestApp, ...options: Options) =>
  Promise.all(options.map((each) => consentingUser(app, each))) as Promise<{ [Place in keyof Options]: TestUser }>;

export const GOLD_PSYCHOLOGIST = { type: "psychologist", gold: "active" } as const;

/** Inserts an active membership with its checkout. @returns its id */
export async function insertMembership(
  app: TestApp,
  { id }: TestUser,
  { provider = "paypal", plan = "monthly" } = {},
): Promise<string> {
  const [row] = await app.sql<{ id: string }>(
    `insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at, state,
       status, began_at)
     values ($1, $2, 'paypal', gen_random_uuid(), $3, 499, 'USD', now(), 'active', 'active', now()) returning id`,
    [id, provider, plan],
  );
  return row!.id;
}

export async function askIgnoringWeeklyLimit(
  app: TestApp,
  person: TestUser,
  more: Record<string, unknown> = {},
): Promise<string> {
  await resetWeeklyLimit(app, person);
  return ask(app, person, more);
}
export const putReview = (app: TestApp, psychologist: TestUser, by: TestUser, show_name: boolean, rating = 1) =>
  app.call("PUT", `/psychologists/${psychologist.id}/review`, { rating, comment: "Una reseña.", show_name }, by);
export const deleteAccount = (app: TestApp, person: TestUser, anonymous_texts: "delete" | "keep" = "delete") =>
  app.call("DELETE", "/account", { anonymous_texts }, person);
export const exportData = (app: TestApp, person: TestUser) => app.call("POST", "/account/export", {}, person);

/** Expects that every stored counter equals the count of its rows. */
export async function expectCountersMatchRows(app: TestApp) {
  expect(
    await app.sql(
      `select id from consultations c where upvotes <> (select count(*) from consultation_votes where consultation_id = c.id and vote_type = 'up')
         or downvotes <> (select count(*) from consultation_votes where consultation_id = c.id and vote_type = 'down')
         or response_count <> (select count(*) from consultation_responses where consultation_id = c.id)
       union all select id from consultation_responses r where upvotes <> (select count(*) from response_votes where response_id = r.id and vote_type = 'up')
         or downvotes <> (select count(*) from response_votes where response_id = r.id and vote_type = 'down')
         or reply_count <> (select count(*) from consultation_replies where response_id = r.id)
       union all select id from psychologist_profiles p where total_responses <> (select count(*) from consultation_responses where psychologist_id = p.id)
         or total_votes <> (select coalesce(sum(votes), 0) from consultation_responses where psychologist_id = p.id)
         or total_reviews <> (select count(*) from psychologist_reviews where psychologist_id = p.id)
         or rating is distinct from (select round(avg(rating), 1) from psychologist_reviews where psychologist_id = p.id)
       union all select gen_random_uuid() from community_counts having sum(consultations) <> (select count(*) from consultations)
         or sum(answers) <> (select count(*) from consultation_responses)
         or sum(psychologists) <> (select count(*) from psychologist_profiles)
         or sum(verified_psychologists) <> (select count(*) from psychologist_profiles where verified_at is not null)`,
    ),
  ).toEqual([]);
}

/** Returns the names of the public tables that contain a text in any column. */
export async function tablesContaining(app: TestApp, text: string): Promise<string[]> {
  const tables = await app.sql<{ name: string }>("select tablename as name from pg_tables where schemaname = 'public'");
  const found: string[] = [];
  for (const { name } of tables) {
    const where = "position(lower($1) in lower(kept::text)) > 0";
    if ((await app.sql(`select from public."${name}" kept where ${where} limit 1`, [text])).length) found.push(name);
  }
  return found.sort();
}

/** Returns the times at which anonymised texts are deleted or rewritten. */
export const dueTimes = (app: TestApp, ids: string[]) =>
  app.sql<{ id: string; delete_at: Date | null; rewrite_at: Date | null }>(
    `select id, delete_at, rewrite_at from consultations where id = any($1)
     union all select id, delete_at, rewrite_at from consultation_replies where id = any($1)
     union all select id, delete_at, rewrite_at from psychologist_reviews where id = any($1)`,
    [ids],
  );

/**
 * Writes replies of a user to an answer, each with 5,000 characters of 4 bytes. They end with their number, starting at
 * 1.
 *
 * They alternate between four random texts, because gzip would shrink equal texts within 32 kB of each other.
 */
export function writeLongReplies(app: TestApp, answer: string, person: TestUser, count: number) {
  const texts = Array.from({ length: 4 }, () =>
    Array.from(randomBytes(4990), (byte) => String.fromCodePoint(0x1f300 + byte)).join(""),
  );
  return app.sql(
    `insert into consultation_replies (response_id, user_id, content, created_at)
     select $1, $2, ($4::text[])[n % 4 + 1] || lpad(n::text, 10, '0'), now() - interval '1 day' + n * interval '1 second'
     from generate_series(1, $3::integer) n`,
    [answer, person.id, count, texts],
  );
}
