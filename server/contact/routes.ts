import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../audit.ts";
import { once } from "../limits/presses-store.ts";
import { pressOf, requireAdmin } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { asShown, type Versioned, withVersion } from "../versions.ts";
import {
  handledMessages,
  insertMessage,
  lockWaitingMessage,
  type MessageRow,
  markHandled,
  waitingMessages,
} from "./store.ts";

const MESSAGE: Versioned<MessageRow, MessageRow> = { kind: "message", present: (row) => row };

const { contact } = api;
const inbox = api.inbox.use(requireAdmin);

export const contactRoutes = contact.router({
  send: contact.send
    .use(pressOf("contact"))
    .handler(async ({ context: { viewer, db, press }, input: { name, email, message } }) => {
      // Of a signed-in sender it stores only whether they have Gold, which orders the inbox.
      const row = { name, email, message, from_gold: viewer?.has_gold ?? false, created_at: press.at };
      await once(db, press, (tx) => insertMessage(tx, row));
    }),
});

export const inboxRoutes = inbox.router({
  read: inbox.read.handler(async ({ context: { config, db } }) => {
    const present = (row: MessageRow) => withVersion(config.secret, MESSAGE, row);
    const [waiting, handled] = await Promise.all([waitingMessages(db), handledMessages(db)]);
    return { waiting: waiting.map(present), handled: handled.map(present) };
  }),

  handle: inbox.handle
    .use(asShown(MESSAGE))
    .handler(async ({ context: { viewer, db, now, assertUnchanged }, input: { id } }) => {
      const at = now();
      await db.transaction().execute(async (tx) => {
        const message = await lockWaitingMessage(tx, id);
        if (!message) throw new AppError("no_rows_updated");
        assertUnchanged(message);
        await markHandled(tx, id, at);
        await insertAudit(tx, { actor_id: viewer.id, action: "message_handled", target_id: id, created_at: at });
      });
    }),
});
