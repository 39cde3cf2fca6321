/** Fills an empty, migrated database with a fictional community of any size. */
import pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { COUNTRIES } from "#shared/countries.ts";
import demo from "../../server/demo/community.json" with { type: "json" };

/** A user with a session. */
export type Person = { id: string; cookie: string };
export type Community = {
  /** Ids of the first 10,000 consultations. */
  consultations: string[];
  /** A consultation with a full page of 10 answers. */
  withTenAnswers: string;
  psychologists: Person[];
  /** Users who read and vote. */
  readers: Person[];
  /** Users who have not asked yet. Each can ask once a week. */
  askers: Person[];
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
const NAMES = demo.users.map(({ full_name }) => full_name.split(" "));
/** Lists of which the function `a_<name>` picks one. */
const LISTS: Record<string, readonly string[]> = {
  first_name: NAMES.map(([first]) => first!),
  last_name: NAMES.map(([, ...last]) => last.join(" ")),
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
    ([name, list]) => `create function pg_temp.a_${name}() returns text language sql
  return (array[${list.map((text) => pg.escapeLiteral(text)).join()}])[1 + floor(${list.length} * random())::integer];`,
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
-- Joins sentences in random order. The length has the given median and the long tail of written texts.
create function pg_temp.text(kind text, median integer) returns text language plpgsql as $$
  declare
    most float := least(4500, median * exp(0.65 * random_normal()));
    written text;
  begin
    loop
      written := concat(written, case when random() < 0.12 then E'\\n\\n' else ' ' end,
        case kind when 'question' then pg_temp.a_question() else pg_temp.a_answer() end);
      exit when length(written) >= most;
    end loop;
    return ltrim(written, E' \\n');
  end $$;`;

/** Votes of different users for the rows of a table. */
const votes = (table: string, column: string, parent: string, voters: number) => `
  insert into ${table} (${column}, user_id, vote_type, created_at)
    select id, pg_temp.id('user', 1 + (first + n) % ${voters}), case when n <= upvotes then 'up' else 'down' end,
      pg_temp.time_after(created_at)
    from (select *, floor(${voters} * random())::integer as first from ${parent}) as voted,
      generate_series(1, upvotes + downvotes) n;`;

/** @param voters number of readers and authors */
const rowsOf = (rows: number, psychologists: number, voters: number, askers: number) => `
  create temp table people as
    select pg_temp.id(kind, n) as id, kind, n, now() - (730 + 100 * random()) * interval '1 day' as since,
      case kind when 'user' then n <= ${READERS} or n > ${voters} else n <= ${psychologists} end as is_active
    from (values ('user', ${voters + askers}), ('psychologist', ${Math.ceil(1.1 * psychologists)})) as kinds (kind, count),
      generate_series(1, count) n;
  create temp view psychologists as select * from people where kind = 'psychologist' and is_active;
  insert into profiles (id, full_name, email, user_type, created_at, updated_at)
    select id, concat(case kind when 'psychologist' then 'Lic. ' end, pg_temp.a_first_name(), ' ', pg_temp.a_last_name()),
      id || '@example.com', kind, since, since from people;
  insert into accounts (id, password_hash, password_changed_at, email_verified_at)
    select id, '${NO_PASSWORD}', since, since from people;
  insert into consents (profile_id, kind, version, accepted_at)
    select id, consent, '${CONSENT_VERSION}', since from people join (values ${Object.entries(CONSENTS_OF)
      .flatMap(([type, consents]) => consents.map((consent) => `('${type}', '${consent}')`))
      .join()}) as required (type, consent) on type = kind;
  insert into sessions (id, account_id, secret_hash, created_at, seen_at, expires_at, password_at)
    select id, id, sha256('${SECRET}'), now(), now(), now() + interval '30 days', now() from people where is_active;

  -- Some users ask much more than others.
  insert into consultations (id, title, content, country, category, is_anonymous, user_id, upvotes, downvotes,
      response_count, answers_received, answers_listed, answers_seen, created_at)
    select id, pg_temp.a_title(), pg_temp.text('question', 380), pg_temp.a_country(),
      case when random() < 0.9 then pg_temp.a_category() end, random() < 0.6,
      pg_temp.id('user', ${READERS} + 1 + floor(${voters - READERS} * random() ^ 2)), votes - down, down,
      answers, answers, answers, answers, pg_temp.time_after(now() - interval '730 days')
    from (select *, pg_temp.downvotes(votes) as down from (
      select pg_temp.id('consultation', n) as id, pg_temp.heavy_tail(3, 60) as votes, pg_temp.heavy_tail(2, 60) as answers
      from generate_series(1, ${rows}) n) as asked) as asked;
  -- Some psychologists answer much more than others.
  insert into consultation_responses (consultation_id, psychologist_id, content, upvotes, downvotes, reply_count, news_at,
      created_at)
    select id, pg_temp.id('psychologist', 1 + floor(${psychologists} * random() ^ 2)), pg_temp.text('answer', 500),
      votes - down, down, replies, case when replies > 0 then pg_temp.time_after(at) end, at
    from (select *, pg_temp.downvotes(votes) as down from (
      select id, least(now(), created_at + random() * interval '48 hours') as at, pg_temp.heavy_tail(2, 60) as votes,
        case when random() < 0.25 then pg_temp.heavy_tail(4, 12) else 0 end as replies
      from consultations, generate_series(1, response_count)) as answered) as answered;
  insert into consultation_replies (response_id, user_id, content, created_at)
    select answer.id, user_id, pg_temp.text('question', 120),
      case n when 1 then news_at else answer.created_at + random() * (news_at - answer.created_at) end
    from consultation_responses answer join consultations on consultations.id = consultation_id,
      generate_series(1, reply_count) n;
  ${votes("consultation_votes", "consultation_id", "consultations", voters)}
  ${votes("response_votes", "response_id", "consultation_responses", voters)}

  insert into psychologist_reviews (psychologist_id, user_id, rating, comment, created_at)
    select id, pg_temp.id('user', 1 + (n + review) % ${READERS}), 3 + floor(3 * random()),
      left(pg_temp.text('answer', 120), 900), pg_temp.time_after(now() - interval '730 days')
    from (select *, pg_temp.heavy_tail(10, 80) as count from psychologists) as reviewed, generate_series(1, count) review;
  insert into psychologist_profiles (id, specialty, license_number, country, bio, verified_at, gold_until, rating,
      total_reviews, total_responses, total_votes, created_at)
    select people.id, pg_temp.a_specialty(), 'MP ' || n, pg_temp.a_country(), pg_temp.a_bio(),
      case when is_active then since end, case when is_active then now() + interval '1 year' end, rating,
      coalesce(reviews, 0), coalesce(answers, 0), coalesce(votes, 0), since
    from people
      left join (select psychologist_id as id, avg(rating) as rating, count(*) as reviews from psychologist_reviews
        group by 1) as reviewed using (id)
      left join (select psychologist_id as id, sum(votes) as votes, count(*) as answers from consultation_responses
        group by 1) as answered using (id)
    where kind = 'psychologist';

  -- One in ten of them is unhandled.
  create temp table handled as
    select n, pg_temp.time_after(now() - interval '730 days') as at from generate_series(1, ${Math.ceil(rows / 200)}) n;
  insert into contact_messages (name, email, message, from_gold, created_at, handled_at)
    select pg_temp.a_first_name(), 'alguien@example.com', pg_temp.text('question', 200), random() < 0.1, at,
      case when n % 10 > 0 then at end from handled;
  insert into payment_problems (kind, provider, external_id, created_at, handled_at)
    select 'unmatched', 'paypal', 'I-' || n, at,
      case when n % 10 > 0 then at end from handled;
  insert into profile_view_counts (psychologist_id, viewed_on, views)
    select id, current_date - day, 1 + floor(20 * random()) from psychologists, generate_series(0, 729, 10) day;

  -- Triggers did not run for these rows.
  insert into consultation_search select id, created_at, country, category, response_count > 0,
      setweight(to_tsvector('spanish', translate(title, '</', '  ')), 'A')
        || setweight(to_tsvector('spanish', translate(content, '</', '  ')), 'B'),
      to_tsvector('simple', translate(lower(title), 'áéíóúüñ</', 'aeiouun  '))
    from consultations order by created_at;
  update community_counts set consultations = ${rows}, answers = (select count(*) from consultation_responses),
      psychologists = (select count(*) from psychologist_profiles), verified_psychologists = ${psychologists}
    where id = (select id from community_counts limit 1);
`;

/** @param askers number of users who can ask once */
export async function seed(databaseUrl: string, rows: number, askers: number): Promise<Community> {
  const psychologists = Math.max(PSYCHOLOGISTS, Math.ceil(rows / 200));
  const voters = READERS + Math.ceil(rows / 4);
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  // Every row refers to rows of this run, so their foreign keys need no lookup.
  await client.query("set session_replication_role = replica; set synchronous_commit = off");
  // Creating indexes is faster than filling them.
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  await client.query(`drop index ${indexes.map(({ name }) => name).join(", ")}`);
  await client.query(FUNCTIONS);
  await client.query(rowsOf(rows, psychologists, voters, askers));
  await client.query("set maintenance_work_mem = '256MB'");
  for (const { definition } of indexes) await client.query(definition);
  await client.query("set session_replication_role = default");
  await client.query("vacuum analyze");
  const ids = async (kind: string, from: number, to: number) => {
    const query = "select pg_temp.id($1, n)::text as id from generate_series($2::integer, $3) n";
    return (await client.query<{ id: string }>(query, [kind, from, to])).rows.map(({ id }) => id);
  };
  const people = async (kind: string, from: number, to: number) =>
    (await ids(kind, from, to)).map((id): Person => ({ id, cookie: `sid=${id}.${SECRET}` }));
  const { rows: found } = await client.query("select id from consultations where response_count = 10 limit 1");
  const community = {
    consultations: await ids("consultation", 1, Math.min(rows, 10_000)),
    withTenAnswers: found[0]?.id ?? "",
    psychologists: await people("psychologist", 1, psychologists),
    readers: await people("user", 1, READERS),
    askers: await people("user", voters + 1, voters + askers),
  };
  await client.end();
  return community;
}
