/** Fills an empty, migrated database with a fictional community of any size. */
import { createHash } from "node:crypto";
import type pg from "pg";
import { openClient } from "#server/database/handles.ts";
import { CATEGORIES } from "#shared/categories.ts";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { DAY, HOUR } from "#shared/time.ts";
import demo from "../../server/demo/community.json" with { type: "json" };
import { copier } from "./copy.ts";
import { heavyTail, pick, type Random, sequence, textLength, uuid } from "./random.ts";

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
const YEARS_MS = 730 * DAY;
/** A hash that matches no password. */
const NO_PASSWORD = `argon2id$19456$2$1$${"A".repeat(22)}$${"A".repeat(43)}`;

const sentencesOf = (texts: string[]) => texts.flatMap((text) => text.split(/(?<=[.?!…])\s+/));
const SENTENCES = {
  questions: sentencesOf(demo.consultations.map(({ content }) => content)),
  answers: sentencesOf(demo.consultations.flatMap(({ answers }) => answers.map(({ content }) => content))),
};
const NAMES = demo.users.map(({ full_name }) => full_name.split(" "));

/** Joins sentences of the demo in random order up to a length. */
function writeText(sentences: string[], median: number, random: Random): string {
  const length = Math.min(4_500, textLength(median, random));
  let text = pick(sentences, random);
  while (text.length < length) text += (random() < 0.12 ? "\n\n" : " ") + pick(sentences, random);
  return text.length < 20 ? `${text} ${pick(sentences, random)} ${pick(sentences, random)}` : text;
}

/**
 * Drops all indexes without a constraint.
 * @returns a function that creates them again, which is faster than filling them
 */
async function dropIndexes(client: pg.Client): Promise<() => Promise<void>> {
  const { rows: indexes } = await client.query<{ name: string; definition: string }>(
    `select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
    where indrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
      and not exists (select from pg_constraint where conindid = indexrelid)`,
  );
  await client.query(`drop index ${indexes.map(({ name }) => name).join(", ")}`);
  return async () => {
    await client.query("set maintenance_work_mem = '256MB'");
    for (const { definition } of indexes) await client.query(definition);
  };
}

/** Adds messages and payment problems, one in ten of them unhandled, and profile visits. */
async function addAdministration(
  client: pg.Client,
  psychologists: Person[],
  count: number,
  someTime: (from: number) => Date,
  random: Random,
): Promise<void> {
  const now = Date.now();
  const messages = copier(client, "contact_messages", "name email message from_gold created_at handled_at");
  const problems = copier(
    client,
    "payment_problems",
    "kind provider external_id psychologist_id created_at handled_at",
  );
  const views = copier(client, "profile_view_counts", "psychologist_id viewed_on views");
  for (let n = 0; n < count; n++) {
    const at = someTime(now - YEARS_MS);
    const handled = n % 10 ? at : null;
    const text = writeText(SENTENCES.questions, 200, random);
    await messages.add(pick(NAMES, random).join(" "), "alguien@example.com", text, random() < 0.1, at, handled);
    await problems.add("unmatched", "paypal", `I-${n}`, pick(psychologists, random).id, at, handled);
  }
  for (const { id } of psychologists)
    for (let day = 0; day < 730; day += 10)
      await views.add(id, new Date(now - day * DAY), 1 + Math.floor(20 * random()));
  for (const table of [messages, problems, views]) await table.end();
}

/** @param askers number of users who can ask once */
export async function seed(databaseUrl: string, rows: number, askers: number): Promise<Community> {
  const random = sequence(2026);
  const client = openClient({ connectionString: databaseUrl });
  await client.connect();
  // Every row refers to rows that are copied in this run, so their foreign keys need no lookup.
  await client.query("set session_replication_role = replica; set synchronous_commit = off");
  const restoreIndexes = await dropIndexes(client);
  const now = Date.now();
  const someTime = (from: number) => new Date(from + random() * (now - from));

  const profiles = copier(client, "profiles", "id full_name email user_type created_at updated_at");
  const accounts = copier(client, "accounts", "id password_hash password_changed_at email_verified_at");
  const consents = copier(client, "consents", "profile_id kind version accepted_at");
  const sessions = copier(client, "sessions", "id account_id secret_hash created_at seen_at expires_at password_at");
  const addPerson = async (type: "user" | "psychologist", signedIn: boolean): Promise<Person> => {
    const id = uuid(random);
    const since = new Date(now - YEARS_MS - random() * 100 * DAY);
    const name = `${type === "psychologist" ? "Lic. " : ""}${pick(NAMES, random)[0]} ${pick(NAMES, random).slice(1).join(" ")}`;
    await profiles.add(id, name, `${id}@example.com`, type, since, since);
    await accounts.add(id, NO_PASSWORD, since, since);
    for (const kind of CONSENTS_OF[type]) await consents.add(id, kind, CONSENT_VERSION, since);
    if (!signedIn) return { id, cookie: "" };
    const session = uuid(random);
    const secret = createHash("sha256").update(session).digest("base64url");
    const hash = `\\x${createHash("sha256").update(secret).digest("hex")}`;
    const begun = new Date(now);
    await sessions.add(session, id, hash, begun, begun, new Date(now + 30 * DAY), begun);
    return { id, cookie: `sid=${session}.${secret}` };
  };
  const addPeople = async (count: number, type: "user" | "psychologist", signedIn: boolean) => {
    const people: Person[] = [];
    while (people.length < count) people.push(await addPerson(type, signedIn));
    return people;
  };

  const psychologists = await addPeople(Math.max(PSYCHOLOGISTS, Math.ceil(rows / 200)), "psychologist", true);
  const readers = await addPeople(READERS, "user", true);
  const authors = await addPeople(Math.ceil(rows / 4), "user", false);
  const community: Community = {
    consultations: [],
    withTenAnswers: "",
    psychologists,
    readers,
    askers: await addPeople(askers, "user", true),
  };
  const users = [...readers, ...authors];

  const consultations = copier(
    client,
    "consultations",
    `id title content country category is_anonymous author_name user_id upvotes downvotes response_count answers_received
    answers_listed answers_seen created_at`,
  );
  const answers = copier(
    client,
    "consultation_responses",
    "id consultation_id psychologist_id content upvotes downvotes reply_count news_at created_at",
  );
  const replies = copier(client, "consultation_replies", "response_id user_id content created_at");
  const votes = copier(client, "consultation_votes", "consultation_id user_id vote_type created_at");
  const answerVotes = copier(client, "response_votes", "response_id user_id vote_type created_at");
  const counters = psychologists.map(() => ({ answers: 0, votes: 0 }));

  /**
   * Adds votes of different users.
   * @returns the numbers of up and down votes
   */
  const addVotes = async (to: typeof votes, id: string, mean: number, at: Date) => {
    const count = { up: 0, down: 0 };
    const first = Math.floor(random() * users.length);
    for (let n = heavyTail(mean, 60, random); n > 0; n--) {
      const vote = random() < 0.85 ? "up" : "down";
      count[vote]++;
      await to.add(id, users[(first + n) % users.length]!.id, vote, someTime(at.getTime()));
    }
    return count;
  };
  const addAnswer = async (consultation: string, author: string, asked: Date) => {
    const id = uuid(random);
    // Some psychologists answer much more than others.
    const who = Math.floor(psychologists.length * random() ** 2);
    const at = new Date(Math.min(now, asked.getTime() + random() * 48 * HOUR));
    const { up, down } = await addVotes(answerVotes, id, 2, at);
    const replied = random() < 0.25 ? heavyTail(4, 12, random) : 0;
    let newsAt: Date | null = null;
    for (let n = 0; n < replied; n++) {
      const repliedAt = someTime(at.getTime());
      await replies.add(id, author, writeText(SENTENCES.questions, 120, random), repliedAt);
      if (!newsAt || newsAt < repliedAt) newsAt = repliedAt;
    }
    await answers.add(
      id,
      consultation,
      psychologists[who]!.id,
      writeText(SENTENCES.answers, 500, random),
      up,
      down,
      replied,
      newsAt,
      at,
    );
    counters[who]!.answers++;
    counters[who]!.votes += up - down;
  };
  for (let n = 0; n < rows; n++) {
    const id = uuid(random);
    // Some users ask much more than others.
    const author = authors[Math.floor(authors.length * random() ** 2)]!.id;
    const at = someTime(now - YEARS_MS);
    const count = heavyTail(2, 60, random);
    if (n < 10_000) community.consultations.push(id);
    if (count === 10) community.withTenAnswers ||= id;
    const { up, down } = await addVotes(votes, id, 3, at);
    const anonymous = random() < 0.6;
    await consultations.add(
      id,
      pick(demo.consultations, random).title,
      writeText(SENTENCES.questions, 380, random),
      pick(COUNTRIES, random),
      random() < 0.9 ? pick(CATEGORIES, random) : null,
      anonymous,
      null,
      author,
      up,
      down,
      ...[count, count, count, count],
      at,
    );
    for (let left = count; left > 0; left--) await addAnswer(id, author, at);
  }

  const profilesOfPsychologists = copier(
    client,
    "psychologist_profiles",
    `id specialty license_number country bio verified_at gold_until rating total_reviews total_responses total_votes
    created_at`,
  );
  const reviews = copier(client, "psychologist_reviews", "psychologist_id user_id rating comment created_at");
  for (const [place, { id }] of psychologists.entries()) {
    const { specialty, bio } = pick(demo.psychologists, random);
    const ratings = Array.from({ length: heavyTail(10, 80, random) }, () => 3 + Math.floor(random() * 3));
    for (const [at, rating] of ratings.entries())
      await reviews.add(
        id,
        readers[(place + at) % READERS]!.id,
        rating,
        writeText(SENTENCES.answers, 120, random).slice(0, 900),
        someTime(now - YEARS_MS),
      );
    const mean = ratings.length ? (ratings.reduce((sum, one) => sum + one, 0) / ratings.length).toFixed(1) : null;
    const { answers: given, votes: sum } = counters[place]!;
    const since = new Date(now - YEARS_MS);
    const gold = new Date(now + 365 * DAY);
    const country = pick(COUNTRIES, random);
    await profilesOfPsychologists.add(
      ...[id, specialty, `MP ${1000 + place}`, country, bio, since, gold, mean, ratings.length, given, sum, since],
    );
  }

  for (let n = 0; n < psychologists.length / 10; n++) {
    const { id } = await addPerson("psychologist", false);
    const since = someTime(now - YEARS_MS);
    await profilesOfPsychologists.add(
      ...[id, null, `MP ${90_000 + n}`, pick(COUNTRIES, random), null, null, null, null, 0, 0, 0, since],
    );
  }
  await addAdministration(client, psychologists, rows / 200, someTime, random);
  const copiers = [profiles, accounts, consents, sessions, consultations, answers, replies, votes, answerVotes];
  for (const table of [...copiers, profilesOfPsychologists, reviews]) await table.end();
  // Triggers did not run for the copied rows. An earlier commit may not have these tables.
  await client.query(`do $$ begin if to_regclass('consultation_search') is not null then
    insert into consultation_search select id, created_at, country, category, response_count > 0,
      setweight(to_tsvector('spanish', translate(title, '</', '  ')), 'A')
        || setweight(to_tsvector('spanish', translate(content, '</', '  ')), 'B'),
      to_tsvector('simple', translate(lower(title), 'áéíóúüñ</', 'aeiouun  '))
    from consultations order by created_at;
    end if; end $$`);
  await restoreIndexes();
  await client.query("set session_replication_role = default");
  await client.query(`do $$ begin if to_regclass('community_counts') is not null then
    update community_counts set consultations = (select count(*) from consultations),
      answers = (select count(*) from consultation_responses), psychologists = (select count(*) from psychologist_profiles),
      verified_psychologists = (select count(*) from psychologist_profiles where is_verified)
      where id = (select id from community_counts limit 1);
    end if; end $$`);
  await client.query("vacuum analyze");
  await client.end();
  return community;
}
