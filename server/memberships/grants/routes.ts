import { AppError } from "#shared/errors.ts";
import type { GoldView } from "#shared/gold.ts";
import { LIMITS } from "#shared/limits.ts";
import { DAY, formatDay } from "#shared/time.ts";
import { insertAudit } from "../../audit.ts";
import type { Context } from "../../context.ts";
import type { Tx } from "../../database/handles.ts";
import { type MailJob, queueMail } from "../../mail/queues.ts";
import { requireAdmin } from "../../sessions/guards.ts";
import { api } from "../../sessions/operations.ts";
import type { Viewer } from "../../sessions/viewer.ts";
import { type AssertUnchanged, asShown, type Versioned, withVersion } from "../../versions.ts";
import type { MembershipRow } from "../checkouts/store.ts";
import { type GoldEnd, goldUntil, isGoldActive, isGrantActive, laterGoldEnd } from "../gold-end-rules.ts";
import { givesGoldOrCharges, membershipStatusOf, mustCancelAtProvider } from "../rules.ts";
import { endMembership } from "../steps.ts";
import { lockMember } from "../store.ts";
import { endGrants, type GoldRow, goldRow, insertGrant, updateGold } from "./store.ts";

const momentOf = (end: GoldEnd) => (end instanceof Date ? end : null);
const currentGrant = ({ grants, now }: GoldRow) => grants.find((grant) => isGrantActive(grant, now));

// Lists its fields, because a reading of the provider changes others, and a decision is compared with the whole view.
const presentMembership = (row: MembershipRow, now: Date) => ({
  provider: row.provider,
  external_subscription_id: row.external_id,
  plan_type: row.plan_type,
  amount: row.amount,
  currency: row.currency,
  membership_status: membershipStatusOf(row, now),
  next_billing_date: row.next_billing_date,
  renews: mustCancelAtProvider(row),
});

/** Consequences of ending Gold. @returns null if there is nothing to end */
function ifEnded(memberships: MembershipRow[], ends_grant: boolean): GoldView["if_ended"] {
  const open = memberships.filter(givesGoldOrCharges);
  if (!open.length && !ends_grant) return null;
  return {
    plan_type: open.find(({ status }) => status === "active")?.plan_type ?? null,
    ends_grant,
    cancels: open
      .filter(mustCancelAtProvider)
      .map(({ provider, external_id }) => ({ provider, external_subscription_id: external_id })),
  };
}

function present(row: GoldRow) {
  const { psychologist, memberships, grants, now } = row;
  const membership = memberships.find(({ status }) => status === "active");
  const grant = currentGrant(row);
  const end = goldUntil(memberships, grants);
  return {
    ...psychologist,
    has_gold: isGoldActive(end, now),
    gold_until: isGoldActive(end, now) ? momentOf(end) : null,
    membership: membership ? presentMembership(membership, now) : null,
    grant: grant ?? null,
    earlier_grants: grants.filter((each) => each !== grant),
    if_ended: ifEnded(memberships, grant !== undefined),
  };
}

/** The Gold of a psychologist. A decision is compared with all of it but the grants that are over. */
const GOLD: Versioned<GoldRow, ReturnType<typeof present>> = { kind: "gold", present, ignored: ["earlier_grants"] };

/**
 * When a new grant until a day ends: with that day, in UTC, as all dates are shown.
 * @param day "2027-01-31", or "never" for a grant without end
 * @throws AppError invalid_input for a day that is over, too far away, or no later than the end of the grant in force
 */
function assertGrantEnd(day: string, row: GoldRow): Date | null {
  const refusal = (text: string) => new AppError("invalid_input", { fields: { last_day: text } });
  const current = currentGrant(row);
  if (current && current.ends_at === null) throw refusal("Ya tiene Gold otorgado sin fecha de fin.");
  if (day === "never") return null;
  const end = new Date(`${day}T23:59:59.999Z`);
  if (end <= row.now) throw refusal("Elige un día a partir de hoy.");
  if (end.getTime() > row.now.getTime() + LIMITS.goldGrantYears * 365.25 * DAY)
    throw refusal(`Elige un día dentro de los próximos ${LIMITS.goldGrantYears} años, o ninguno.`);
  if (current?.ends_at && end <= current.ends_at)
    throw refusal(`Ya tiene Gold otorgado hasta el ${formatDay(current.ends_at)}: elige un día posterior.`);
  return end;
}

type Decision = Context & { viewer: Viewer; assertUnchanged: AssertUnchanged<GoldRow> };
/** A change of Gold: its entry in the audit log, and the mail to the psychologist. */
type Change = { action: string; details: Record<string, unknown>; mail: MailJob };

/**
 * Locks a psychologist, compares the Gold with the version shown, and changes it.
 * @throws AppError psychologist_not_found, version_conflict
 */
const changeGold = (
  { boss, db, now, viewer, assertUnchanged }: Decision,
  { id, reason }: { id: string; reason: string },
  change: (tx: Tx, row: GoldRow) => Promise<Change>,
): Promise<void> =>
  db.transaction().execute(async (tx) => {
    const row = (await lockMember(tx, id)) && (await goldRow(tx, id, now()));
    if (!row) throw new AppError("psychologist_not_found");
    assertUnchanged(row);
    const { action, details, mail } = await change(tx, row);
    await updateGold(tx, id);
    const entry = { actor_id: viewer.id, action, target_id: id, created_at: row.now };
    await insertAudit(tx, { ...entry, details: { ...details, reason } });
    await queueMail(boss, tx, mail);
  });

const gold = api.gold.use(requireAdmin);

/** Operations of the administrator on a psychologist's Gold. */
export const goldRoutes = gold.router({
  read: gold.read.handler(async ({ context: { config, db, now }, input }) => {
    const row = await goldRow(db, input.id, now());
    if (!row) throw new AppError("psychologist_not_found");
    const view = withVersion(config.secret, GOLD, row);
    if (input.last_day === undefined) return { ...view, if_granted: null };
    const ends_at = assertGrantEnd(input.last_day, row);
    const before = goldUntil(row.memberships, row.grants);
    const after = laterGoldEnd(before, ends_at ?? "infinity");
    return { ...view, if_granted: { ends_at, gold_until: momentOf(after), lasts_longer: after !== before } };
  }),

  // Extends the grant in force: that one ends and another begins. No membership changes.
  grant: gold.grant.use(asShown(GOLD)).handler(({ context, input: { id, last_day, reason } }) =>
    changeGold(context, { id, reason }, async (tx, row) => {
      const { now } = row;
      const ends_at = assertGrantEnd(last_day, row);
      const extended = currentGrant(row) !== undefined;
      const granted_by = context.viewer.id;
      await endGrants(tx, id, { ended_at: now, ended_by: granted_by });
      const made = { psychologist_id: id, starts_at: now, ends_at, reason, granted_by };
      const { id: grant_id } = await insertGrant(tx, made);
      return {
        action: extended ? "gold_extended" : "gold_granted",
        details: { grant: grant_id, ends_at: ends_at?.toISOString() ?? null },
        mail: { kind: "gold_granted", grant_id, extended },
      };
    }),
  ),

  // Ends the grant in force and every membership that gives Gold or may still be charged. No money is refunded.
  end: gold.end.use(asShown(GOLD)).handler(({ context, input: { id, reason } }) =>
    changeGold(context, { id, reason }, async (tx, row) => {
      const { now } = row;
      const open = row.memberships.filter(givesGoldOrCharges);
      if (!open.length && !currentGrant(row)) throw new AppError("no_rows_updated");
      await endGrants(tx, id, { ended_at: now, ended_by: context.viewer.id });
      const providers = new Set<string>();
      const end = { ended_by: "admin", actor_id: context.viewer.id, at: now } as const;
      for (const one of open) if (await endMembership(context, tx, one, end)) providers.add(one.provider);
      return {
        action: "gold_ended",
        details: { memberships: open.map((one) => one.id) },
        mail: { kind: "gold_ended", psychologist_id: id, reason, providers: [...providers] },
      };
    }),
  ),
});
