import { pressOf, requireAdmin } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { asShown, type Versioned, withVersion } from "../versions.ts";
import { handleMessage, sendMessage } from "./commands.ts";
import { handledMessages, type MessageRow, waitingMessages } from "./store.ts";

const MESSAGE: Versioned<MessageRow, MessageRow> = { kind: "message", present: (row) => row };

const { contact } = api;
const inbox = api.inbox.use(requireAdmin);

export const contactRoutes = contact.router({
  send: contact.send
    .use(pressOf("contact"))
    .handler(({ context: { request, viewer, press }, input }) => sendMessage(request.context, viewer, input, press)),
});

export const inboxRoutes = inbox.router({
  read: inbox.read.handler(async ({ context: { config, db } }) => {
    const present = (row: MessageRow) => withVersion(config.secret, MESSAGE, row);
    const [waiting, handled] = await Promise.all([waitingMessages(db), handledMessages(db)]);
    return { waiting: waiting.map(present), handled: handled.map(present) };
  }),

  handle: inbox.handle
    .use(asShown(MESSAGE))
    .handler(({ context: { request, viewer, assertUnchanged }, input }) =>
      handleMessage(request.context, viewer, input.id, assertUnchanged),
    ),
});
