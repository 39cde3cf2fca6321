import { randomUUID } from "node:crypto";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import { LIFETIMES } from "../../sessions/rules.ts";
import { hashToken, linkToken } from "../../tokens.ts";
import { insertRecovery } from "./store.ts";

/** Stores a recovery request and queues its mail. Only the mail job looks up the account. */
export async function queueRecovery(tx: Tx, { boss, config, now }: Context, email: string): Promise<void> {
  const id = randomUUID();
  await insertRecovery(tx, {
    id,
    email,
    token_hash: hashToken(linkToken(config.secret, "recover", id)),
    expires_at: new Date(now().getTime() + LIFETIMES.recovery),
  });
  await queueMail(boss, tx, { kind: "recover_password", recovery_id: id });
}
