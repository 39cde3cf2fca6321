import { LIMITS } from "#shared/limits.ts";
import { minuteOf } from "#shared/time.ts";
import { NEWEST_FIRST, pageOf, readCursor } from "../cursor.ts";
import { requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { markNotificationsSeen, notificationsOf } from "./store.ts";

const { notifications } = api;

export const notificationRoutes = notifications.router({
  list: notifications.list.use(requireSignIn()).handler(async ({ context: { viewer, db, config }, input }) => {
    const rows = await notificationsOf(db, viewer.id, readCursor(config.secret, input.cursor, false));
    const { shown, next_cursor } = pageOf(config.secret, rows, LIMITS.notificationsPage, NEWEST_FIRST);
    const newest = input.cursor ? undefined : shown[0];
    if (newest?.is_new) await markNotificationsSeen(db, viewer.id, newest.created_at);
    return {
      items: shown.map(
        ({ id, kind, created_at, is_new, people, consultation_id, answer_id, title, full_name, avatar_url }) => ({
          id,
          kind,
          // A reply is anonymous: its exact time could identify its author.
          created_at: minuteOf(created_at),
          is_new,
          people,
          consultation: consultation_id && answer_id ? { id: consultation_id, title: title ?? "", answer_id } : null,
          psychologist: full_name === null ? null : { full_name, avatar_url },
        }),
      ),
      next_cursor,
    };
  }),
});
