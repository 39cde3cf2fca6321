import webPush from "web-push";
import { decryptSecret, encryptSecret } from "../accounts/second-factor/codes.ts";
import type { Context } from "../context.ts";
import type { PushKeys } from "../integrations/web-push.ts";
import { replacePushKeys, storedPushKeys } from "./store.ts";

/** Returns this server's keys for push services. Creates them once, and again after a change of the secret. */
export async function pushKeys({ db, config }: Pick<Context, "db" | "config">): Promise<PushKeys> {
  const stored = await storedPushKeys(db);
  const privateKey = stored && decryptSecret(config.secret, stored.public_key, stored.private_key);
  if (privateKey) return { publicKey: stored.public_key, privateKey };
  const fresh = webPush.generateVAPIDKeys();
  const sealed = encryptSecret(config.secret, fresh.publicKey, fresh.privateKey);
  await replacePushKeys(db, stored?.public_key ?? null, { public_key: fresh.publicKey, private_key: sealed });
  return pushKeys({ db, config });
}
