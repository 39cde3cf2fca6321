import { type RawBuilder, sql } from "kysely";
import { LIMITS } from "#shared/limits.ts";
import type { NotificationView } from "#shared/notifications.ts";
import type { Cursor } from "../cursor.ts";
import type { Db } from "../database/handles.ts";

type NotificationRow = {
  id: string;
  kind: NotificationView["kind"];
  created_at: Date;
  is_new: boolean;
  people: number;
  consultation_id: string | null;
  answer_id: string | null;
  title: string | null;
  full_name: string | null;
  avatar_url: string | null;
};

const after = (cursor: Cursor | null): RawBuilder<unknown> =>
  cursor ? sql`and (n.created_at, n.id) < (${cursor.at}::timestamptz, ${cursor.id}::uuid)` : sql``;

/** Returns one more row than a page of a person's notifications, the newest first. */
export const notificationsOf = (db: Db, profileId: string, cursor: Cursor | null) =>
  sql<NotificationRow>`
    select n.id, n.kind, n.created_at, n.created_at > own.notifications_seen_at as is_new, n.people,
      n.consultation_id, n.response_id as answer_id, c.title, author.full_name, author.avatar_url
    from notifications n
      join accounts own on own.id = n.profile_id
      left join consultations c on c.id = n.consultation_id
      left join consultation_responses r on r.id = n.response_id and n.kind = 'answer'
      left join profiles author on author.id = r.psychologist_id
    where n.profile_id = ${profileId} ${after(cursor)}
    order by n.created_at desc, n.id desc limit ${LIMITS.notificationsPage + 1}`
    .execute(db)
    .then((result) => result.rows);

/** Stores that a person has seen all notifications until a time. */
export const markNotificationsSeen = (db: Db, profileId: string, newest: Date) =>
  sql`update accounts set notifications_seen_at = ${newest}
    where id = ${profileId} and notifications_seen_at < ${newest}`.execute(db);
