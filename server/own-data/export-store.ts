/** Export of a user's data as a stream, batch by batch. */
import { ReadableStream as NodeReadableStream } from "node:stream/web";
import { sql } from "kysely";
import { AppError } from "#shared/errors.ts";
import type { Context } from "../context.ts";
import { type Db, queryRows } from "../database/handles.ts";

/**
 * A part of an export: rows of a user, oldest first. The export contains only `columns`.
 * @param owner the column of the user's id
 * @param key a unique column, to read rows in batches
 */
const part = (from: string, owner: string, columns: string, order = "created_at", key = "id") => ({
  of: (id: string) => sql`from ${sql.raw(from)} where ${sql.ref(owner)} = ${id}`,
  columns: sql.raw(columns),
  order: sql.raw(`order by ${order}, ${key}`),
  key,
});
type Part = ReturnType<typeof part>;

const ACCOUNT = part(
  "profiles join accounts using (id) left join mail_preferences on profile_id = id",
  "id",
  `id, full_name, email, user_type, avatar_url as photo, profiles.created_at, updated_at, email_verified_at,
    password_changed_at, weekly_consultations_used, weekly_window_started_at, coalesce(answers, true) as notify_on_answers,
    digest_until is not null as daily_digest, coalesce(digest_categories, '{}') as daily_digest_categories,
    coalesce(push_answers, true) as push_answers, coalesce(push_replies, true) as push_replies`,
);

const PSYCHOLOGIST = part(
  "psychologist_profiles",
  "id",
  `license_number, specialty, country, bio, phone, whatsapp, website, created_at, verified_at, rejected_at,
    rating::float8, total_reviews, total_responses, total_votes, free_responses_used, array(
      select json_build_object('day', to_char(viewed_on, 'YYYY-MM-DD'), 'visits', views) from profile_view_counts
      where psychologist_id = id order by viewed_on) as profile_visits`,
);

/** All other stored data of a user (specification, section 2, "Account"). */
const LISTS: Record<string, Part> = {
  consents: part("consents", "profile_id", "kind, version, accepted_at, withdrawn_at", "accepted_at, kind"),
  // Only the day of the last sign-in is readable.
  known_browsers: part(
    "known_devices",
    "account_id",
    "to_char(last_day, 'YYYY-MM-DD') as last_day",
    "last_day",
    "device_hash",
  ),
  sessions: part("sessions", "account_id", "device, created_at, seen_at, expires_at"),
  push_browsers: part(
    "(select push.*, account_id from push_subscriptions push join sessions on sessions.id = session_id) as push",
    "account_id",
    "endpoint, created_at, pushed_at",
  ),
  email_changes: part("email_changes", "account_id", "old_email, new_email, created_at, confirmed_at, expires_at"),
  consultations: part(
    "consultations",
    "user_id",
    `id, title, content, country, category, is_anonymous, author_name, notify_on_answer, noindex,
      upvotes, downvotes, response_count, created_at, edited_at`,
  ),
  answers: part(
    "consultation_responses",
    "psychologist_id",
    `id, consultation_id, (select title from consultations where id = consultation_id) as consultation_title,
      content, upvotes, downvotes, created_at, edited_at`,
  ),
  answer_templates: part("answer_templates", "psychologist_id", "title, content, created_at"),
  replies: part(
    "consultation_replies",
    "user_id",
    `id, response_id as answer_id, (select consultation_id from consultation_responses where id = response_id),
      content, created_at, edited_at`,
  ),
  reviews: part(
    "psychologist_reviews",
    "user_id",
    `psychologist_id, (select full_name from profiles where id = psychologist_id) as psychologist_name, rating,
      comment, show_name, created_at, edited_at`,
  ),
  consultation_votes: part("consultation_votes", "user_id", "consultation_id, vote_type as vote, created_at"),
  answer_votes: part("response_votes", "user_id", "response_id as answer_id, vote_type as vote, created_at"),
  answer_thanks: part("response_thanks", "user_id", "response_id as answer_id, created_at"),
  memberships: part(
    "subscriptions",
    "psychologist_id",
    `provider, external_subscription_id, plan_type, amount, currency, status, next_billing_date, cancelled_at,
      created_at`,
  ),
  gold_grants: part("gold_grants", "psychologist_id", "starts_at, ends_at, reason, ended_at", "starts_at"),
  payments: part(
    `(select payment.*, psychologist_id from payment_transactions as payment
      join checkouts on checkouts.id = subscription_id) as payment`,
    "psychologist_id",
    "provider, external_payment_id, amount, currency, refunded_amount, status, paid_at",
    "paid_at",
  ),
  checkouts: part(
    "checkouts",
    "psychologist_id",
    "provider, external_id, plan_type, amount, currency, state, created_at",
  ),
};

/** Rows per batch. The largest batch has 400 kB: 20 texts of 5,000 characters with 4 bytes each. */
const BATCH = 20;

const rowOf = (db: Db, { of, columns }: Part, id: string): Promise<object | null> =>
  queryRows(db)<object>`select ${columns} ${of(id)}`.then(([row]) => row ?? null);

/** Yields the rows of a part in batches. Reads the keys first, so that each batch costs the same. */
async function* batchesOf(db: Db, { of, columns, order, key }: Part, id: string): AsyncGenerator<object[]> {
  const keys = await queryRows(db)<{ key: unknown }>`select ${sql.ref(key)} as key ${of(id)} ${order}`;
  for (let at = 0; at < keys.length; at += BATCH) {
    const batch = keys.slice(at, at + BATCH).map((row) => row.key);
    yield await queryRows(db)<object>`select ${columns} ${of(id)} and ${sql.ref(key)} in (${sql.join(batch)}) ${order}`;
  }
}

const json = (value: unknown) => JSON.stringify(value, null, 1);

/**
 * Yields the lists of an export as JSON, batch by batch.
 * @throws AppError sign_in_required if the account is deleted during the export
 */
async function* listsOf(db: Db, id: string): AsyncGenerator<string> {
  for (const [name, list] of Object.entries(LISTS)) {
    yield `,\n "${name}": [`;
    let separator = "";
    for await (const rows of batchesOf(db, list, id)) {
      if (!rows.length) continue;
      yield separator + rows.map((row) => `\n  ${json(row).replaceAll("\n", "\n  ")}`).join(",");
      separator = ",";
    }
    yield separator ? "\n ]" : "]";
  }
  // The lists are incomplete if the account was deleted during the export.
  if (!(await rowOf(db, ACCOUNT, id))) throw new AppError("sign_in_required");
  yield "\n}";
}

/**
 * Opens the export of a user's data as JSON. Reads only as fast as the client, and uses no connection to the database
 * while the client reads nothing.
 *
 * If the database fails, the stream breaks off, because a shortened file must not look complete.
 * @throws AppError sign_in_required if the account is deleted
 */
export async function openExport({ db, now, log }: Context, id: string): Promise<ReadableStream<Uint8Array>> {
  // A failure before the first byte still gets an error response.
  const account = await rowOf(db, ACCOUNT, id);
  if (!account) throw new AppError("sign_in_required");
  const start = { exported_at: now(), account, psychologist: await rowOf(db, PSYCHOLOGIST, id) };
  async function* pieces() {
    const encoder = new TextEncoder();
    try {
      yield encoder.encode(json(start).slice(0, -"\n}".length));
      for await (const piece of listsOf(db, id)) yield encoder.encode(piece);
    } catch (error) {
      // The error's message could quote a text.
      log.warn({ event: "export_broken", code: (error as { code?: string }).code });
      throw new AppError("unavailable");
    }
  }
  return NodeReadableStream.from(pieces()) as ReadableStream<Uint8Array>;
}
