import { AppError } from "#shared/errors.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { type MailJob, queueMail } from "../../mail/queues.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import type { AssertUnchanged } from "../../versions.ts";
import { isGrantActive } from "../gold-rules.ts";
import { givesGoldOrCharges } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember } from "../store.ts";
import { assertGrantEnd } from "./rules.ts";
import { endGrants, type GoldRow, goldRow, insertGrant, updateGold } from "./store.ts";

/** The administrator's decision about a psychologist's Gold, and the Gold that was shown before. */
type Decision = { id: string; reason: string; assertUnchanged: AssertUnchanged<GoldRow> };

/** A change of Gold: its entry in the audit log, and the mail to the psychologist. */
type Change = { action: string; details: Record<string, unknown>; mail: MailJob };

/**
 * Locks a psychologist, compares the Gold with the version shown, and changes it.
 * @throws AppError psychologist_not_found, version_conflict
 */
const changeGold = (
  { db, boss, now }: Context,
  { id: actor_id }: Viewer,
  { id, reason, assertUnchanged }: Decision,
  change: (tx: Tx, row: GoldRow) => Promise<Change>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const row = (await lockMember(tx, id)) && (await goldRow(tx, id, now()));
    if (!row) throw new AppError("psychologist_not_found");
    assertUnchanged(row);
    const { action, details, mail } = await change(tx, row);
    await updateGold(tx, id);
    await insertAudit(tx, { actor_id, action, target_id: id, details: { ...details, reason }, created_at: row.now });
    await queueMail(boss, tx, mail);
  });

/**
 * Grants Gold without a payment, or extends the grant in force: that one ends and another begins. No membership changes.
 * The psychologist is notified by mail.
 * @throws AppError psychologist_not_found, version_conflict
 * @throws AppError invalid_input as `assertGrantEnd`
 */
export const grantGold = (context: Context, admin: Viewer, lastDay: string, decision: Decision): Promise<void> =>
  changeGold(context, admin, decision, async (tx, { grants, now }) => {
    const { id: psychologist_id, reason } = decision;
    const ends_at = assertGrantEnd(lastDay, grants, now);
    const extended = grants.some((each) => isGrantActive(each, now));
    await endGrants(tx, psychologist_id, { ended_at: now, ended_by: admin.id });
    const made = { psychologist_id, starts_at: now, ends_at, reason, granted_by: admin.id };
    const { id: grant_id } = await insertGrant(tx, made);
    return {
      action: extended ? "gold_extended" : "gold_granted",
      details: { grant: grant_id, ends_at: ends_at?.toISOString() ?? null },
      mail: { kind: "gold_granted", grant_id, extended },
    };
  });

/**
 * Ends a psychologist's Gold at once: the grant in force, and every membership that gives Gold or may still be charged,
 * which is cancelled at its provider, too. No money is refunded. The psychologist is notified by mail.
 * @throws AppError psychologist_not_found, version_conflict, no_rows_updated when there is nothing to end
 */
export const endGold = (context: Context, admin: Viewer, decision: Decision): Promise<void> =>
  changeGold(context, admin, decision, async (tx, { memberships, grants, now }) => {
    const { id: psychologist_id, reason } = decision;
    const open = memberships.filter(givesGoldOrCharges);
    if (!open.length && !grants.some((each) => isGrantActive(each, now))) throw new AppError("no_rows_updated");
    await endGrants(tx, psychologist_id, { ended_at: now, ended_by: admin.id });
    const providers = new Set<string>();
    const end = { ended_by: "admin", actor_id: admin.id, at: now } as const;
    for (const one of open) if (await endMembership(context, tx, one, end)) providers.add(one.provider);
    return {
      action: "gold_ended",
      details: { memberships: open.map(({ id }) => id) },
      mail: { kind: "gold_ended", psychologist_id, reason, providers: [...providers] },
    };
  });
