/** Fills an empty, migrated database with a fictional community of any size. */
import pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { COUNTRIES } from "#shared/countries.ts";
import demo from "../../server/demo/community.json" with { type: "json" };

/** A user with a session. */
export type Person = { id: string; cookie: string };
/** Numbers of consultations, and of users who can ask once. */
export type Size = { rows: number; askers: number };
/** Readers vote. Askers have not asked yet: each can ask once a week. */
export type Community = Record<"readers" | "askers" | "psychologists", Person[]> & {
  /** Ids of at most 10,000 consultations. */
  consultations: string[];
  /** A consultation with a full page of 10 answers. */
  withTenAnswers: string;
};

const READERS = 2_000;
/** Minimum number, because each can answer 40 times per hour. */
const PSYCHOLOGISTS = 1_000;
/** A hash that matches no password. */
const NO_PASSWORD = `argon2id$19456$2$1$${"A".repeat(22)}$${"A".repeat(43)}`;
/** Secret of every session. */
const SECRET = "A".repeat(43);

const sentencesOf = (texts: string[]) =>
  texts.flatMap((text) => text.split(/(?<=[.?!…])\s+/)).filter((sentence) => sentence.length >= 20);
/** Lists of which the function `a_<name>` picks some items at random. */
const LISTS: Record<string, readonly string[]> = {
  name: demo.users.map(({ full_name }) => full_name),
  title: demo.consultations.map(({ title }) => title),
  question: sentencesOf(demo.consultations.map(({ content }) => content)),
  answer: sentencesOf(demo.consultations.flatMap(({ answers }) => answers.map(({ content }) => content))),
  country: COUNTRIES,
  category: CATEGORIES,
  specialty: demo.psychologists.map(({ specialty }) => specialty),
  bio: demo.psychologists.flatMap(({ bio }) => bio ?? []),
};

/** Every run and every compared commit get the same ids, numbers and texts. */
const FUNCTIONS = `select setseed(0.2026);
${Object.entries(LISTS)
  .map(
    ([name, list]) => `create function pg_temp.a_${name}(items integer = 1) returns text language sql
  return (select string_agg((array[${list.map((text) => pg.escapeLiteral(text)).join()}])[1 + floor(${list.length} * random())::integer], ' ')
    from generate_series(1, items));`,
  )
  .join("\n")}
create function pg_temp.id(kind text, n float) returns uuid language sql
  return overlay(overlay(md5(kind || n) placing '4' from 13) placing 'a' from 17)::uuid;
create function pg_temp.time_after(start timestamptz) returns timestamptz language sql
  return start + random() * (now() - start);
-- A count that is most often 0 or 1 and rarely large.
create function pg_temp.heavy_tail(mean float, most integer) returns integer language sql
  return least(most, floor(mean * 0.45 * (1 - random()) ^ -0.6));
create function pg_temp.downvotes(votes integer) returns integer language sql return floor(0.15 * votes + random());
-- A number of sentences with the long tail of written texts.
create function pg_temp.sentences(median integer) returns integer language sql
  return least(25, ceil(median * exp(0.65 * random_normal())));`;

/** Votes of different readers for the rows of a table. */
const votes = (table: string, column: string, parent: string) => `
  insert into ${table} (${column}, user_id, vote_type, created_at)
    select id, pg_temp.id('readers', 1 + (first + n) % ${READERS}), case when n <= upvotes then 'up' else 'down' end,
      pg_temp.time_after(created_at)
    from (select *, floor(${READERS} * random())::integer as first from ${parent}) as voted,
      generate_series(1, upvotes + downvotes) n;`;

const rowsOf = (rows: number, authors: number, askers: number, psychologists: number) => `
  create temp table people as
    select pg_temp.id(kind, n) as id, kind, n, case kind when 'psychologists' then 'psychologist' else 'user' end as type,
      now() - (730 + 100 * random()) * interval '1 day' as since
    from (values ('readers', ${READERS}), ('authors', ${authors}), ('askers', ${askers}), ('psychologists', ${psychologists}))
      as kinds (kind, count), generate_series(1, count) n;
  insert into profiles (id, full_name, email, user_type, created_at, updated_at)
    select id, pg_temp.a_name(), id || '@example.com', type, since, since from people;
  insert into accounts (id, password_hash, password_changed_at, email_verified_at)
    select id, '${NO_PASSWORD}', since, since from people;
  insert into consents (profile_id, kind, version, accepted_at)
    select id, consent, '${CONSENT_VERSION}', since from people join (values ${Object.entries(CONSENTS_OF)
      .flatMap(([type, consents]) => consents.map((consent) => `('${type}', '${consent}')`))
      .join()}) as required (type, consent) using (type);
  insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at, password_at)
    select id, id, sha256('${SECRET}'), now(), now(), now() + interval '30 days', now() from people;

  -- Some users ask much more than others.
  insert into consultations (id, title, content, country, category, is_anonymous, user_id, upvotes, downvotes,
      response_count, answers_received, answers_listed, answers_seen, created_at)
    select id, pg_temp.a_title(), pg_temp.a_question(pg_temp.sentences(5)), pg_temp.a_country(),
      case when random() < 0.9 then pg_temp.a_category() end, random() < 0.6,
      pg_temp.id('authors', 1 + floor(${authors} * random() ^ 2)), votes - down, down,
      answers, answers, answers, answers, pg_temp.time_after(now() - interval '730 days')
    from (select *, pg_temp.downvotes(votes) as down from (
      select pg_temp.id('consultation', n) as id, pg_temp.heavy_tail(3, 60) as votes, pg_temp.heavy_tail(2, 60) as answers
      from generate_series(1, ${rows}) n) as asked) as asked;
  -- Some psychologists answer much more than others.
  insert into consultation_responses (consultation_id, psychologist_id, content, upvotes, downvotes, reply_count, news_at,
      created_at)
    select id, pg_temp.id('psychologists', 1 + floor(${psychologists} * random() ^ 2)),
      pg_temp.a_answer(pg_temp.sentences(6)), votes - down, down, replies,
      case when replies > 0 then pg_temp.time_after(at) end, at
    from (select *, pg_temp.downvotes(votes) as down from (
      select id, least(now(), created_at + random() * interval '48 hours') as at, pg_temp.heavy_tail(2, 60) as votes,
        case when random() < 0.25 then pg_temp.heavy_tail(4, 12) else 0 end as replies
      from consultations, generate_series(1, response_count)) as answered) as answered;
  insert into consultation_replies (response_id, user_id, content, created_at)
    select answer.id, user_id, pg_temp.a_question(2),
      case n when 1 then news_at else answer.created_at + random() * (news_at - answer.created_at) end
    from consultation_responses answer join consultations on consultations.id = consultation_id,
      generate_series(1, reply_count) n;
  ${votes("consultation_votes", "consultation_id", "consultations")}
  ${votes("response_votes", "response_id", "consultation_responses")}

  insert into psychologist_reviews (psychologist_id, user_id, rating, comment, created_at)
    select id, pg_temp.id('readers', 1 + (n + review) % ${READERS}), 3 + floor(3 * random()), pg_temp.a_answer(2),
      pg_temp.time_after(now() - interval '730 days')
    from (select *, pg_temp.heavy_tail(10, 80) as count from people where kind = 'psychologists') as reviewed,
      generate_series(1, count) review;
  insert into psychologist_profiles (id, specialty, license_number, country, bio, verified_at, gold_until, rating,
      total_reviews, total_responses, total_votes, created_at)
    select people.id, pg_temp.a_specialty(), 'MP ' || n, pg_temp.a_country(), pg_temp.a_bio(), since,
      now() + interval '1 year', rating, coalesce(reviews, 0), coalesce(answers, 0), coalesce(votes, 0), since
    from people
      left join (select psychologist_id as id, avg(rating) as rating, count(*) as reviews from psychologist_reviews
        group by 1) as reviewed using (id)
      left join (select psychologist_id as id, sum(votes) as votes, count(*) as answers from consultation_responses
        group by 1) as answered using (id)
    where kind = 'psychologists';
`;

/** Triggers that fill the search index and the community's numbers. */
const TRIGGERS = `alter table consultations enable always trigger index_consultation, enable always trigger count_added;
  alter table consultation_responses enable always trigger count_added;
  alter table psychologist_profiles enable always trigger count_for_community;`;

export async function seed(databaseUrl: string, { rows, askers }: Size): Promise<Community> {
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  // Every row refers to rows of this run, so their foreign keys need no lookup.
  await client.query(`${TRIGGERS} set session_replication_role = replica; set synchronous_commit = off`);
  // Creating indexes is faster than filling them.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  await client.query(`drop index ${indexes.map(({ name }) => name).join(", ")}`);
  await client.query(FUNCTIONS);
  const psychologists = Math.max(PSYCHOLOGISTS, Math.ceil(rows / 200));
  await client.query(rowsOf(rows, Math.ceil(rows / 4), askers, psychologists));
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { definition } of indexes) await client.query(definition);
  await client.query("vacuum analyze");
  const { rows: found } = await client.query<{ people: Omit<Community, "consultations" | "withTenAnswers"> }>(
    `select json_object_agg(kind, list) as people from (
      select kind, json_agg(json_build_object('id', id, 'cookie', 'sid=' || id || '.${SECRET}') order by n) as list
      from people group by kind) as kinds`,
  );
  const { rows: asked } = await client.query<{ id: string; response_count: number }>(
    "select id, response_count from consultations order by id limit 10000",
  );
  await client.end();
  return {
    ...found[0]!.people,
    consultations: asked.map(({ id }) => id),
    withTenAnswers: asked.find(({ response_count }) => response_count === 10)!.id,
  };
}
