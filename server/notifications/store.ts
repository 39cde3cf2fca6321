import { sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { NotificationChoicesView, NotificationView } from "#shared/notifications.ts";
import { DAY } from "#shared/time.ts";
import type { Cursor } from "../cursor.ts";
import { type Db, type PublicDb, queryRows, type Tx } from "../database/handles.ts";
import type { PushDevice } from "../integrations/web-push.ts";
import { consentWithdrawn } from "../sessions/store.ts";
import type { Session } from "../sessions/viewer.ts";

type NotificationRow = Omit<NotificationView, "created_at"> & { created_at: Date };

/** Returns one more row than a page of a person's notifications, the newest first. */
export const notificationsOf = (db: Db, profileId: string, cursor: Cursor | null) =>
  queryRows(db)<NotificationRow>`
    select n.id, n.kind, n.created_at, n.created_at > own.notifications_seen_at as is_new, n.people,
      case when c.id is not null then json_build_object('id', c.id, 'title', c.title, 'answer_id', n.response_id) end as consultation,
      case when author.id is not null then json_build_object('full_name', author.full_name, 'avatar_url', author.avatar_url) end as psychologist
    from (
        select * from notifications
        where profile_id = ${profileId}
          ${cursor ? sql`and (created_at, id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)` : sql``}
        order by created_at desc, id desc limit ${LIMITS.notificationsPage + 1}
      ) n
      join accounts own on own.id = n.profile_id
      left join consultations c on c.id = n.consultation_id
      left join consultation_responses r on r.id = n.response_id and n.kind = 'answer'
      left join profiles author on author.id = r.psychologist_id
    order by n.created_at desc, n.id desc`;

/** Stores that a person has seen all notifications until a time. The next notification may cause a push again. */
export const markNotificationsSeen = (db: Db, profileId: string, newest: Date) =>
  sql`with looked as (update push_subscriptions set pushed_at = null where pushed_at is not null and ${pushDevicesOf(profileId)})
    update accounts set notifications_seen_at = ${newest}
    where id = ${profileId} and notifications_seen_at < ${newest}`.execute(db);

/** Returns what a person wants to be notified about. A browser that subscribed with other keys gets no pushes. */
export const choicesOf = (db: Db, profileId: string, sessionId: string, publicKey: string) =>
  queryRows(db)<Omit<NotificationChoicesView, "public_key">>`
    select coalesce(answers, true) as answers, digest_until is not null as digest,
      coalesce(digest_categories, '{}') as digest_categories, coalesce(push_answers, true) as push_answers,
      coalesce(push_replies, true) as push_replies,
      exists (select from push_subscriptions where session_id = ${sessionId} and public_key = ${publicKey}) as this_device
    from (select) viewer left join mail_preferences on profile_id = ${profileId}`.then(([row]) => row!);

const pushDevicesOf = (profileId: string) =>
  sql`session_id in (select id from sessions where account_id = ${profileId})`;

/** Stores the browser of a session and deletes the account's oldest ones above the limit. */
export async function putPushDevice(
  tx: Tx,
  { viewer }: Session,
  row: PushDevice & { session_id: string; public_key: string; created_at: Date },
) {
  await deletePushDevice(tx, "session_id", row.session_id);
  await tx
    .insertInto("push_subscriptions")
    .values(row)
    // Another account used this browser before.
    .onConflict((conflict) => conflict.column("endpoint").doUpdateSet({ ...row, pushed_at: null }))
    .execute();
  await sql`delete from push_subscriptions where id in (select id from push_subscriptions
    where ${pushDevicesOf(viewer.id)} order by created_at desc, id offset ${LIMITS.pushDevices})`.execute(tx);
}

export const deletePushDevice = (db: Db, column: "id" | "session_id", id: string) =>
  db.deleteFrom("push_subscriptions").where(column, "=", id).execute();

/**
 * Claims the browsers that get a push about an answer or a reply to it: those of its psychologist and of the
 * consultation's author, if they have not seen a notification of a wanted kind and got no push within a day.
 * @param publicKey key of this server; browsers that subscribed with another one accept no push
 */
export const claimPushes = (db: Db, responseId: string, publicKey: string, now: Date) =>
  queryRows(db)<PushDevice & { id: string }>`
    update push_subscriptions set pushed_at = ${now}
    from sessions join accounts on accounts.id = sessions.account_id join profiles on profiles.id = accounts.id
      left join mail_preferences choices on choices.profile_id = profiles.id
    where sessions.id = push_subscriptions.session_id and public_key = ${publicKey} and sessions.expires_at > ${now}
      and profiles.id in (
        select unnest(array[c.user_id, r.psychologist_id]) from consultation_responses r
          join consultations c on c.id = r.consultation_id where r.id = ${responseId})
      and (pushed_at is null or pushed_at < ${new Date(now.getTime() - DAY)}) and not ${consentWithdrawn}
      -- Not "exists": the planner would join all notifications.
      and (select true from notifications n where n.profile_id = profiles.id
        and n.created_at > accounts.notifications_seen_at and n.news_at between accounts.notifications_seen_at and 'infinity'
        and (n.kind = 'answer' and coalesce(push_answers, true)
          or n.kind in ('reply', 'reply_to_consultation') and coalesce(push_replies, true)) limit 1)
    returning push_subscriptions.id, endpoint, p256dh, auth`;

export const releasePush = (db: Db, id: string, claimedAt: Date) =>
  db
    .updateTable("push_subscriptions")
    .set({ pushed_at: null })
    .where("id", "=", id)
    .where("pushed_at", "=", claimedAt)
    .execute();

/** Returns the verified psychologists who want a digest. */
export const digestReaders = (db: Db) =>
  queryRows(db)<{ profile_id: string; digest_until: Date }>`
    select profile_id, digest_until from mail_preferences
      join psychologist_profiles on psychologist_profiles.id = profile_id and is_verified
    where digest_until is not null`;

/** Claims a digest. Returns its reader, or undefined if it was claimed before or is not wanted any more. */
export const claimDigest = (db: Db, profileId: string, from: Date, to: Date) =>
  queryRows(db)<{ email: string; country: string | null; digest_categories: string[]; link_id: string }>`
    update mail_preferences set digest_until = ${to} from profiles join psychologist_profiles using (id)
    where profile_id = ${profileId} and profiles.id = profile_id and digest_until = ${from} and is_verified
      and not ${consentWithdrawn} returning email, country, digest_categories, link_id`.then(([row]) => row);

export const releaseDigest = (db: Db, profileId: string, from: Date, to: Date) =>
  sql`update mail_preferences set digest_until = ${from} where profile_id = ${profileId} and digest_until = ${to}`.execute(
    db,
  );

/** Counts unanswered consultations of a period by category, the most frequent first. */
export function newUnanswered(
  publicDb: PublicDb,
  { country, digest_categories }: { country: string | null; digest_categories: string[] },
  from: Date,
  to: Date,
) {
  let query = publicDb
    .selectFrom("consultations")
    .select(["category", sql<number>`count(*)::integer`.as("n")])
    .where("response_count", "=", 0)
    .where("created_at", ">", from)
    .where("created_at", "<=", to)
    .groupBy("category")
    .orderBy("n", "desc")
    .orderBy("category");
  if (country) query = query.where("country", "=", country);
  if (digest_categories.length) query = query.where("category", "in", digest_categories);
  return query.execute();
}
