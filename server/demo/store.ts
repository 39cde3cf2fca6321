import { randomUUID } from "node:crypto";
import { type Insertable, type Kysely, type RawBuilder, sql } from "kysely";
import { CONSENT_VERSION, CONSENTS_OF } from "#shared/consents.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY, HOUR } from "#shared/time.ts";
import type { Db, Tx } from "../database/handles.ts";
import { PRICES } from "../memberships/prices.ts";
import { recountReviews } from "../reviews/store.ts";
import { recountPsychologists } from "../threads/store.ts";
import community from "./community.json" with { type: "json" };

/** Serialises the loading of the demo: nodes that start at the same time wait and then find it loaded. */
export const lockDemo = (tx: Tx) => sql`select pg_advisory_xact_lock(4801, 3)`.execute(tx);

export const hasPeople = async (tx: Tx) =>
  (await tx.selectFrom("profiles").select("id").limit(1).executeTakeFirst()) !== undefined;

type Tables = Db extends Kysely<infer Tables> ? Tables : never;

const ADMIN = { key: "admin", full_name: "Administración", user_type: "user", joined_days_ago: 400, portrait: null };
const USERS = community.users.map((user, at) => ({
  ...user,
  user_type: "user",
  joined_days_ago: 360 - at,
  portrait: null,
}));
const PSYCHOLOGISTS = community.psychologists.map((one) => ({ ...one, user_type: "psychologist" }));

/**
 * Inserts what `community.json` contains. Its counts of votes are stored, and the votes follow from them.
 * @param now the time from which the ages in the file count back
 */
export async function insertTexts(tx: Tx, now: Date, adminEmail: string): Promise<void> {
  const ago = (age: number, unit: number) => new Date(now.getTime() - age * unit);
  const people = [ADMIN, ...USERS, ...PSYCHOLOGISTS].map((person) => ({ ...person, id: randomUUID() }));
  const ids = new Map(people.map(({ key, id }) => [key, id]));
  const consultations = community.consultations.map((one) => ({ ...one, id: randomUUID() }));
  const answers = consultations.flatMap(({ id: consultation_id, hours_ago, answers }) =>
    answers.map((one) => ({ ...one, id: randomUUID(), consultation_id, hours_ago: hours_ago - one.hours_after })),
  );
  const replies = answers.flatMap(({ id: response_id, hours_ago, replies }) =>
    replies.map((one) => ({ ...one, response_id, hours_ago: hours_ago - one.hours_after })),
  );
  const rows = {
    profiles: people.map(({ id, key, full_name, user_type, joined_days_ago, portrait }) => ({
      id,
      full_name,
      email: key === ADMIN.key ? adminEmail : `${key}@divan.example`,
      user_type,
      avatar_url: portrait ? `/retrato-${portrait}.svg` : null,
      created_at: ago(joined_days_ago, DAY),
      updated_at: ago(joined_days_ago, DAY),
    })),
    psychologist_profiles: community.psychologists.map(
      ({ key, full_name: _, verified, gold, joined_days_ago, portrait: __, ...profile }) => ({
        ...profile,
        id: ids.get(key)!,
        verified_at: verified ? ago(joined_days_ago - 1, DAY) : null,
        gold_until: gold === "lifetime" ? "infinity" : gold && ago(-20, DAY),
        created_at: ago(joined_days_ago, DAY),
      }),
    ),
    consultations: consultations.map(({ author, author_name, anonymous, hours_ago, answers, ...text }) => ({
      ...text,
      user_id: ids.get(author),
      is_anonymous: anonymous,
      author_name: anonymous ? null : author_name,
      response_count: answers.length,
      answers_received: answers.length,
      answers_listed: answers.length,
      answers_seen: answers.length,
      created_at: ago(hours_ago, HOUR),
    })),
    consultation_responses: answers.map(({ psychologist, hours_ago, hours_after: _, replies, ...text }) => ({
      ...text,
      psychologist_id: ids.get(psychologist)!,
      reply_count: replies.length,
      created_at: ago(hours_ago, HOUR),
    })),
    consultation_replies: replies.map(({ author, hours_ago, response_id, content }) => ({
      response_id,
      content,
      user_id: ids.get(author),
      created_at: ago(hours_ago, HOUR),
    })),
    psychologist_reviews: community.reviews.map(({ psychologist, user, days_ago, ...review }) => ({
      ...review,
      psychologist_id: ids.get(psychologist)!,
      user_id: ids.get(user),
      created_at: ago(days_ago, DAY),
    })),
  } satisfies { [Table in keyof Tables]?: Insertable<Tables[Table]>[] };
  for (const [table, all] of Object.entries(rows))
    await tx
      .insertInto(table as "profiles")
      .values(all as never)
      .execute();
}

/** Inserts the votes that texts count. The order of voters depends on names and texts: the demo looks the same everywhere. */
const insertVotes = (table: "consultations" | "consultation_responses", votes: string, of: string) => sql`
  insert into ${sql.table(votes)} (${sql.ref(of)}, user_id, vote_type, created_at)
    select id, voter, case when place <= upvotes then 'up' else 'down' end, created_at from (
      select one.*, profiles.id as voter, row_number() over (partition by one.id order by md5(full_name || content)) as place
      from ${sql.table(table)} one join profiles on user_type = 'user' and full_name <> ${ADMIN.full_name}
    ) placed where place <= upvotes + downvotes`;

/** Inserts and counts what follows from the people and their texts. */
export async function insertDerived(tx: Tx, now: Date, passwordHash: string): Promise<void> {
  const at = sql`${now}::timestamptz`;
  const statements: RawBuilder<unknown>[] = [
    sql`insert into accounts (id, password_hash, email_verified_at, password_changed_at)
      select id, ${passwordHash}, created_at, created_at from profiles`,
    // Older accounts accepted this version of the terms on the day of its publication.
    ...Object.entries(CONSENTS_OF).map(
      ([type, kinds]) => sql`insert into consents (profile_id, kind, version, accepted_at)
        select id, unnest(${kinds}::text[]), ${CONSENT_VERSION}, greatest(created_at, least(${CONSENT_VERSION}::timestamptz, ${at}))
        from profiles where user_type = ${type}`,
    ),
    // Memberships of the test mode that began 10 days ago.
    sql`insert into checkouts (psychologist_id, provider, method, external_id, plan_type, amount, currency, created_at, state,
        status, began_at, next_billing_date)
      select id, 'test', 'paypal', 'TEST_' || gen_random_uuid(), plan, (price ->> 'amount')::integer, price ->> 'currency', began,
        'active', 'active', began, nullif(gold_until, 'infinity')
      from psychologist_profiles
        join jsonb_each(${JSON.stringify(PRICES.paypal)}) prices (plan, price) on (plan = 'lifetime') = (gold_until = 'infinity')
        cross join (select ${at} - interval '10 days' as began) beginning
      where gold_until is not null`,
    sql`insert into payment_transactions (subscription_id, provider, external_payment_id, amount, currency, status, paid_at, created_at)
      select id, provider, 'TEST_' || gen_random_uuid(), amount, currency, 'completed', began_at, began_at from checkouts`,
    sql`update psychologist_profiles set subscription_id = subscriptions.id from subscriptions
      where subscriptions.psychologist_id = psychologist_profiles.id`,
    insertVotes("consultations", "consultation_votes", "consultation_id"),
    insertVotes("consultation_responses", "response_votes", "response_id"),
    sql`update consultation_responses set news_at = (select max(created_at) from consultation_replies
      where response_id = consultation_responses.id)`,
    // Visits rise slowly towards today and are fewer at weekends, so that the chart looks realistic.
    sql`insert into profile_view_counts (psychologist_id, viewed_on, views)
      select * from (
        select psychologist.id, viewed_on, floor((hashtext(full_name || ago) & 1023) / 1024.0
          * case when gold_until is null then 7 else 18 end * (1 - ago / 140.0)
          * case when extract(isodow from viewed_on) > 5 then 0.5 else 1 end)::integer as views
        from psychologist_profiles psychologist join profiles using (id), generate_series(0, 89) ago
          cross join lateral (select (${at} at time zone 'UTC')::date - ago as viewed_on) day
        where viewed_on >= psychologist.created_at
      ) visits where views > 0`,
    // The weekly limit applies in the demo too.
    sql`update profiles set weekly_consultations_used = 1, weekly_window_started_at = asked.latest
      from (select user_id, max(created_at) as latest from consultations group by 1) asked
      where user_id = profiles.id and latest > ${at} - ${LIMITS.weeklyWindowDays} * interval '1 day'`,
  ];
  for (const statement of statements) await statement.execute(tx);
  const ids = (await tx.selectFrom("psychologist_profiles").select("id").execute()).map(({ id }) => id);
  await recountPsychologists(tx, ids);
  await recountReviews(tx, ids);
  await sql`update psychologist_profiles set free_responses_used = least(max_free_responses, total_responses)
    where gold_until is null`.execute(tx);
}

export const analyze = (db: Db) => sql`analyze`.execute(db);

export const demoEmails = async (db: Db): Promise<string[]> =>
  (await db.selectFrom("profiles").select("email").where("email", "like", "%@divan.example").execute()).map(
    ({ email }) => email,
  );
