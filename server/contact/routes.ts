import { admin, api, done } from "../routes.ts";
import { handleMessage, sendMessage } from "./commands.ts";
import { presentMessage } from "./present.ts";
import { countWaiting, handledMessages, waitingMessages } from "./store.ts";

export const contactRoutes = api.contact.router({
  send: api.contact.send.handler(async ({ context: request, input }) => {
    const viewer = request.session?.viewer ?? null;
    await request.context.rateLimits.spend("contact", { address: request.address, person: viewer?.id });
    await sendMessage(request.context, viewer, input);
    return done;
  }),
});

export const inboxRoutes = api.inbox.router({
  read: api.inbox.read.handler(async ({ context: request }) => {
    admin(request);
    const { db } = request.context;
    const [waiting, total, handled] = await Promise.all([waitingMessages(db), countWaiting(db), handledMessages(db)]);
    return {
      waiting_total: total.n,
      waiting: waiting.map(presentMessage),
      handled: handled.map(presentMessage),
    };
  }),

  handle: api.inbox.handle.handler(async ({ context: request, input }) => {
    const { viewer } = admin(request);
    await request.context.rateLimits.spend("moderation", { person: viewer.id });
    await handleMessage(request.context, viewer, input.id);
    return done;
  }),
});
