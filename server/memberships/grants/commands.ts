import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { queueMail } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { givesGoldOrCharges } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember } from "../store.ts";
import { assertGrantEnd, isGrantActive } from "./rules.ts";
import { endGrants, type GoldRow, goldRow, insertGrant, updateGold } from "./store.ts";

/** The administrator's decision about a psychologist's Gold, and the Gold that was shown before. */
type Decision = { id: string; reason: string; assertUnchanged: AssertUnchanged<GoldRow> };

/**
 * Locks a psychologist, then reads the Gold and compares it with the version shown.
 * @throws AppError psychologist_not_found, version_conflict
 */
async function lockGold(tx: Tx, { id, assertUnchanged }: Decision, now: Date): Promise<GoldRow> {
  const row = (await lockMember(tx, id)) && (await goldRow(tx, id, now));
  if (!row) throw new AppError("psychologist_not_found");
  assertUnchanged(row);
  return row;
}

/**
 * Grants Gold without a payment, or extends the grant in force: that one ends and another begins. No membership changes.
 * The psychologist is notified by mail.
 * @throws AppError psychologist_not_found, version_conflict
 * @throws AppError invalid_input as `assertGrantEnd`
 */
export async function grantGold(context: Context, admin: Viewer, lastDay: string, decision: Decision): Promise<void> {
  const now = context.now();
  const { id, reason } = decision;
  const actor_id = admin.id;
  await context.db.transaction().execute(async (tx) => {
    const { grants } = await lockGold(tx, decision, now);
    const ends_at = assertGrantEnd(lastDay, grants, now);
    const extended = grants.some((each) => isGrantActive(each, now));
    await endGrants(tx, id, { ended_at: now, ended_by: actor_id });
    const grant = await insertGrant(tx, { psychologist_id: id, starts_at: now, ends_at, reason, granted_by: actor_id });
    await updateGold(tx, id);
    const action = extended ? "gold_extended" : "gold_granted";
    const details = { grant: grant.id, ends_at: ends_at?.toISOString() ?? null, reason };
    await insertAudit(tx, { actor_id, action, target_id: id, details, created_at: now });
    await queueMail(context.boss, tx, { kind: "gold_granted", grant_id: grant.id, extended });
  });
}

/**
 * Ends a psychologist's Gold at once: the grant in force, and every membership that gives Gold or may still be charged,
 * which is cancelled at its provider, too. No money is refunded. The psychologist is notified by mail.
 * @throws AppError psychologist_not_found, version_conflict, no_rows_updated when there is nothing to end
 */
export async function endGold(context: Context, admin: Viewer, decision: Decision): Promise<void> {
  const now = context.now();
  const { id, reason } = decision;
  const actor_id = admin.id;
  await context.db.transaction().execute(async (tx) => {
    const { memberships, grants } = await lockGold(tx, decision, now);
    const open = memberships.filter(givesGoldOrCharges);
    if (!open.length && !grants.some((each) => isGrantActive(each, now))) throw new AppError("no_rows_updated");
    await endGrants(tx, id, { ended_at: now, ended_by: actor_id });
    const providers = new Set<string>();
    for (const one of open)
      if (await endMembership(context, tx, one, { ended_by: "admin", actor_id, at: now })) providers.add(one.provider);
    await updateGold(tx, id);
    const details = { memberships: open.map((one) => one.subscription_id), reason };
    await insertAudit(tx, { actor_id, action: "gold_ended", target_id: id, details, created_at: now });
    await queueMail(context.boss, tx, { kind: "gold_ended", psychologist_id: id, reason, providers: [...providers] });
  });
}
