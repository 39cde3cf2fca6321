import type { Tx } from "../database/handles.ts";
import { grantedUntil } from "./grants/store.ts";
import { goldEnd, laterGoldEnd } from "./rules.ts";
import { currentMembership, setGoldUntil } from "./store.ts";

/**
 * Stores until when a psychologist's Gold lasts: the later end of the current membership and the administrator's
 * grants.
 *
 * Only these rows determine it, so the order of payments, cancellations and grants does not matter. Lock the
 * psychologist first, and call it after each change of these rows.
 */
export async function updateGold(tx: Tx, psychologistId: string): Promise<void> {
  const membership = await currentMembership(tx, psychologistId);
  const granted = await grantedUntil(tx, psychologistId);
  await setGoldUntil(tx, psychologistId, {
    gold_until: laterGoldEnd(membership && goldEnd(membership, membership), granted),
    subscription_id: membership?.id ?? null,
  });
}
