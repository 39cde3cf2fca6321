import { admin, api, done } from "../routes.ts";
import { asShown, shown } from "../versions.ts";
import { handleMessage, sendMessage } from "./commands.ts";
import { MESSAGE } from "./present.ts";
import { countWaiting, handledMessages, type MessageRow, waitingMessages } from "./store.ts";

export const contactRoutes = api.contact.router({
  send: api.contact.send.handler(async ({ context: request, input }) => {
    const viewer = request.session?.viewer ?? null;
    await request.context.rateLimits.spend("contact", viewer ? { person: viewer.id } : { address: request.address });
    await sendMessage(request.context, viewer, input);
    return done;
  }),
});

export const inboxRoutes = api.inbox.router({
  read: api.inbox.read.handler(async ({ context: request }) => {
    admin(request);
    const { config, db } = request.context;
    const present = (row: MessageRow) => shown(config.secret, MESSAGE, row);
    const [waiting, total, handled] = await Promise.all([waitingMessages(db), countWaiting(db), handledMessages(db)]);
    return {
      waiting_total: total.n,
      waiting: waiting.map(present),
      handled: handled.map(present),
    };
  }),

  handle: api.inbox.handle.handler(async ({ context: request, input }) => {
    const { viewer } = admin(request);
    await request.context.rateLimits.spend("moderation", { person: viewer.id });
    await handleMessage(
      request.context,
      viewer,
      input.id,
      asShown(request.context.config.secret, MESSAGE, input.version),
    );
    return done;
  }),
});
