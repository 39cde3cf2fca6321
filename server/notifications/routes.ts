import { AppError } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { minuteOf } from "#shared/time.ts";
import { setChoices } from "../accounts/store.ts";
import { NEWEST_FIRST, pageOf, readCursor } from "../cursor.ts";
import { tryWrite } from "../database/faults.ts";
import { isPushEndpoint, pushKeys } from "../integrations/web-push.ts";
import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { newUnsubscribeLink } from "../tokens.ts";
import { choicesOf, deletePushDevice, markNotificationsSeen, notificationsOf, putPushDevice } from "./store.ts";

const { notifications } = api;

export const notificationRoutes = notifications.router({
  list: notifications.list.use(requireSignIn()).handler(async ({ context: { request, viewer, db, config }, input }) => {
    const rows = await notificationsOf(db, viewer.id, readCursor(config.secret, input.cursor, false));
    const { shown, next_cursor } = pageOf(config.secret, rows, LIMITS.notificationsPage, NEWEST_FIRST);
    // Also without a new one: what a push was about may be deleted.
    if (!input.cursor)
      await tryWrite(request.context.log, markNotificationsSeen(db, viewer.id, shown[0]?.created_at ?? new Date(0)));
    return {
      // A reply is anonymous: its exact time could identify its author.
      items: shown.map((row) => ({ ...row, created_at: minuteOf(row.created_at) })),
      next_cursor,
    };
  }),

  choices: notifications.choices.use(requireSignIn()).handler(async ({ context: { session, db, config } }) => {
    const public_key = pushKeys(config.secret).publicKey;
    return { ...(await choicesOf(db, session.viewer.id, session.id, public_key)), public_key };
  }),

  choose: notifications.choose
    .use(requireSignIn())
    .use(rateLimit("account"))
    .handler(async ({ context: { session, db, config, now }, input: { device, ...given } }) => {
      if (device && !isPushEndpoint(device.endpoint, config.pushTestOrigin)) throw new AppError("invalid_input");
      await db.transaction().execute(async (tx) => {
        await setChoices(tx, session.viewer.id, given, newUnsubscribeLink(config.secret), now());
        if (device) {
          const public_key = pushKeys(config.secret).publicKey;
          await putPushDevice(tx, session, { ...device, session_id: session.id, public_key, created_at: now() });
        }
        if (device === null) await deletePushDevice(tx, "session_id", session.id);
      });
    }),
});
