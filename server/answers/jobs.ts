import type { Context } from "../context.ts";
import { REPLY_WINDOW_MS } from "./rules.ts";
import { deleteDeletedRepliesUntil } from "./store.ts";

/** Deletes the times of deleted replies that no longer count towards the daily limit. */
export async function deleteExpiredReplies({ db, now }: Context): Promise<void> {
  await deleteDeletedRepliesUntil(db, new Date(now().getTime() - REPLY_WINDOW_MS));
}
