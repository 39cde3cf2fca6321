import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../audit.ts";
import type { Context } from "../context.ts";
import { once, type Press } from "../limits/presses.ts";
import type { Viewer } from "../sessions/viewer.ts";
import type { AssertUnchanged } from "../versions.ts";
import { insertMessage, lockWaitingMessage, type MessageRow, markHandled } from "./store.ts";

/** Stores a message to the team. Of a signed-in sender it stores only whether they have Gold, which orders the inbox. */
export async function sendMessage(
  context: Context,
  viewer: Viewer | null,
  { name, email, message }: { name: string; email: string; message: string },
  press: Press,
): Promise<void> {
  const from_gold = viewer?.has_gold ?? false;
  await once(context.db, press, (tx) => insertMessage(tx, { name, email, message, from_gold, created_at: press.at }));
}

/**
 * @throws AppError no_rows_updated if no unhandled message has this id
 * @throws AppError version_conflict
 */
export async function handleMessage(
  context: Context,
  admin: Viewer,
  id: string,
  assertUnchanged: AssertUnchanged<MessageRow>,
): Promise<void> {
  const now = context.now();
  await context.db.transaction().execute(async (tx) => {
    const message = await lockWaitingMessage(tx, id);
    if (!message) throw new AppError("no_rows_updated");
    assertUnchanged(message);
    await markHandled(tx, id, now);
    await insertAudit(tx, { actor_id: admin.id, action: "message_handled", target_id: id, created_at: now });
  });
}
