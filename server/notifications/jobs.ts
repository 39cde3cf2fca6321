import { PRODUCT_NAME } from "#shared/product.ts";
import { MINUTE } from "#shared/time.ts";
import type { Context } from "../context.ts";
import { pushKeys, sendPush } from "../integrations/web-push.ts";
import { type Job, work, workAt } from "../jobs.ts";
import { queueMail } from "../mail/queues.ts";
import { DIGESTS, PUSHES } from "./queues.ts";
import { claimPushes, deletePushDevice, digestReaders, releasePush } from "./store.ts";

/** Every push says the same: it appears on lock screens, and push services see its length. */
const PAYLOAD = JSON.stringify({ title: PRODUCT_NAME, body: "Tienes una novedad" });

/**
 * Sends a push to each browser of the users with an unseen notification about an answer. Each browser is claimed before,
 * so that a job that was killed or runs again sends nothing twice. Only a failure releases the claim.
 * @throws Error if a push must be sent again later
 */
export async function sendPushes(context: Context, { response_id }: { response_id: string }): Promise<void> {
  const { db, config, log, now } = context;
  const at = now();
  const keys = pushKeys(config.secret);
  const devices = await claimPushes(db, response_id, keys.publicKey, at);
  if (!devices.length) return;
  const { publicUrl, mailFrom, pushTestOrigin } = config;
  const contact = publicUrl.protocol === "https:" ? publicUrl.origin : `mailto:${mailFrom}`;
  const sender = { keys, contact, testOrigin: pushTestOrigin };
  const results = await Promise.allSettled(
    devices.map(async (device) => {
      try {
        const exists = await sendPush(device, PAYLOAD, sender);
        if (!exists) await deletePushDevice(db, "id", device.id);
        log.info({ event: exists ? "push_sent" : "push_device_gone" });
      } catch {
        await releasePush(db, device.id, at);
        throw new Error("A push could not be sent.");
      }
    }),
  );
  const failed = results.find((result) => result.status === "rejected");
  if (failed) throw failed.reason;
}

/** Queues the digest of each reader. A second run queues mails that are not sent, because the first ones are. */
export async function queueDigests({ db, boss, now }: Context): Promise<void> {
  // The row of a consultation appears a little later than its time.
  const until = new Date(now().getTime() - MINUTE).toISOString();
  for (const { profile_id, digest_until } of await digestReaders(db))
    await queueMail(boss, null, { kind: "digest", profile_id, since: digest_until.toISOString(), until });
}

export const notificationJobs: Job[] = [
  work(PUSHES, { batchSize: 20, localConcurrency: 2, pollingIntervalSeconds: 5 }, sendPushes),
  // 13:00 UTC is the morning from Mexico (7:00) to Argentina (10:00).
  workAt("0 13 * * *", DIGESTS, { pollingIntervalSeconds: 60 }, queueDigests),
];
