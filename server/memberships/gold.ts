import type { Tx } from "../database/handles.ts";
import { grantedUntil } from "./grants/store.ts";
import { goldEnd, laterGoldEnd } from "./rules.ts";
import { currentMembership, setGoldUntil } from "./store.ts";

/**
 * Stores until when a psychologist's Gold lasts: the later of what the current membership and the administrator's grants
 * give. It follows from these rows alone, so no order of payments, cancellations and grants gives another result. Call it
 * with the psychologist locked, after each change of these rows.
 */
export async function updateGold(tx: Tx, psychologistId: string): Promise<void> {
  const membership = await currentMembership(tx, psychologistId);
  const granted = await grantedUntil(tx, psychologistId);
  await setGoldUntil(tx, psychologistId, {
    gold_until: laterGoldEnd(membership && goldEnd(membership, membership), granted),
    subscription_id: membership?.id ?? null,
  });
}
