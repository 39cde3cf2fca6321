import { type RawBuilder, sql } from "kysely";
import type { Db } from "../database/handles.ts";

/** A part of an export: rows of a user, oldest first. The export contains only `columns`. */
type Part = {
  from: RawBuilder<unknown>;
  /** The column of the user's id. */
  owner: string;
  columns: RawBuilder<unknown>;
  order?: RawBuilder<unknown>;
  /** A unique column, to read rows in batches. */
  key?: string;
};

/** All stored data of a user (specification, section 2, "Account"). The first two parts have one row, the others many. */
export const EXPORT = {
  account: {
    from: sql`profiles join accounts using (id) left join mail_preferences on profile_id = id`,
    owner: "id",
    columns: sql`id, full_name, email, user_type, avatar_url as photo, profiles.created_at, updated_at, email_verified_at,
      password_changed_at, weekly_consultations_used, weekly_window_started_at, coalesce(answers, true) as notify_on_answers,
      digest_until is not null as daily_digest, coalesce(digest_categories, '{}') as daily_digest_categories,
      coalesce(push_answers, true) as push_answers, coalesce(push_replies, true) as push_replies`,
  },
  psychologist: {
    from: sql`psychologist_profiles`,
    owner: "id",
    columns: sql`license_number, specialty, country, bio, phone, whatsapp, website, created_at, verified_at, rejected_at,
      rating::float8, total_reviews, total_responses, total_votes, free_responses_used, array(
        select json_build_object('day', to_char(viewed_on, 'YYYY-MM-DD'), 'visits', views) from profile_view_counts
        where psychologist_id = id order by viewed_on) as profile_visits`,
  },
  consents: {
    from: sql`consents`,
    owner: "profile_id",
    columns: sql`kind, version, accepted_at, withdrawn_at`,
    order: sql`accepted_at, kind`,
  },
  known_browsers: {
    from: sql`known_devices`,
    owner: "account_id",
    // Only the day of the last sign-in is readable.
    columns: sql`to_char(last_day, 'YYYY-MM-DD') as last_day`,
    order: sql`last_day`,
    key: "device_hash",
  },
  sessions: {
    from: sql`sessions`,
    owner: "account_id",
    columns: sql`device, created_at, seen_at, expires_at`,
  },
  push_browsers: {
    from: sql`(select push.*, account_id from push_subscriptions push join sessions on sessions.id = session_id) as push`,
    owner: "account_id",
    columns: sql`endpoint, created_at, pushed_at`,
  },
  email_changes: {
    from: sql`email_changes`,
    owner: "account_id",
    columns: sql`old_email, new_email, created_at, confirmed_at, expires_at`,
  },
  consultations: {
    from: sql`consultations`,
    owner: "user_id",
    columns: sql`id, title, content, country, category, is_anonymous, author_name, notify_on_answer, noindex,
      upvotes, downvotes, response_count, created_at, edited_at`,
  },
  answers: {
    from: sql`consultation_responses`,
    owner: "psychologist_id",
    columns: sql`id, consultation_id, (select title from consultations where id = consultation_id) as consultation_title,
      content, upvotes, downvotes, created_at, edited_at`,
  },
  answer_templates: {
    from: sql`answer_templates`,
    owner: "psychologist_id",
    columns: sql`title, content, created_at`,
  },
  replies: {
    from: sql`consultation_replies`,
    owner: "user_id",
    columns: sql`id, response_id as answer_id,
      (select consultation_id from consultation_responses where id = response_id), content, created_at, edited_at`,
  },
  reviews: {
    from: sql`psychologist_reviews`,
    owner: "user_id",
    columns: sql`psychologist_id, (select full_name from profiles where id = psychologist_id) as psychologist_name, rating,
      comment, show_name, created_at, edited_at`,
  },
  consultation_votes: {
    from: sql`consultation_votes`,
    owner: "user_id",
    columns: sql`consultation_id, vote_type as vote, created_at`,
  },
  answer_votes: {
    from: sql`response_votes`,
    owner: "user_id",
    columns: sql`response_id as answer_id, vote_type as vote, created_at`,
  },
  answer_thanks: {
    from: sql`response_thanks`,
    owner: "user_id",
    columns: sql`response_id as answer_id, created_at`,
  },
  memberships: {
    from: sql`subscriptions`,
    owner: "psychologist_id",
    columns: sql`provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date, cancelled_at,
      created_at`,
  },
  gold_grants: {
    from: sql`gold_grants`,
    owner: "psychologist_id",
    columns: sql`starts_at, ends_at, reason, ended_at`,
    order: sql`starts_at`,
  },
  payments: {
    from: sql`(select payment.*, psychologist_id from payment_transactions as payment
      join checkouts on checkouts.id = subscription_id) as payment`,
    owner: "psychologist_id",
    columns: sql`provider, external_payment_id, amount, currency, refunded_amount, status, paid_at`,
    order: sql`paid_at`,
  },
  checkouts: {
    from: sql`checkouts`,
    owner: "psychologist_id",
    columns: sql`provider, external_id, plan_type, amount, currency, state, created_at`,
  },
} satisfies Record<string, Part>;

/** Rows per batch. The largest batch has 400 kB: 20 texts of 5,000 characters with 4 bytes each. */
const BATCH = 20;

/** Returns the only row of a part, or null. */
export const rowOf = async (db: Db, { from, owner, columns }: Part, id: string): Promise<object | null> => {
  const { rows } = await sql<object>`select ${columns} from ${from} where ${sql.ref(owner)} = ${id}`.execute(db);
  return rows[0] ?? null;
};

/** Yields the rows of a part in batches. Reads the keys first, so that each batch costs the same. */
export async function* batchesOf(
  db: Db,
  { from, owner, columns, order = sql`created_at`, key = "id" }: Part,
  id: string,
): AsyncGenerator<object[]> {
  const select = (what: RawBuilder<unknown>, more = sql``) =>
    sql<Record<string, unknown>>`select ${what} from ${from} where ${sql.ref(owner)} = ${id} ${more}
      order by ${order}, ${sql.ref(key)}`.execute(db);
  const keys = (await select(sql.ref(key))).rows.map((row) => row[key]);
  for (let at = 0; at < keys.length; at += BATCH) {
    const { rows } = await select(columns, sql`and ${sql.ref(key)} in (${sql.join(keys.slice(at, at + BATCH))})`);
    yield rows;
  }
}
