import type { GoldView } from "#shared/gold.ts";
import type { Versioned } from "../../versions.ts";
import type { MembershipRow } from "../checkouts/store.ts";
import { type GoldEnd, goldUntil, isGoldActive, isGrantActive, laterGoldEnd } from "../gold-rules.ts";
import { givesGoldOrCharges, membershipStatusOf, mustCancelAtProvider } from "../rules.ts";
import type { GoldRow } from "./store.ts";

const momentOf = (end: GoldEnd) => (end instanceof Date ? end : null);

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

function present({ psychologist, memberships, grants, now }: GoldRow) {
  const current = memberships.find(({ status }) => status === "active");
  const grant = grants.find((each) => isGrantActive(each, now));
  const end = goldUntil(memberships, grants);
  return {
    ...psychologist,
    has_gold: isGoldActive(end, now),
    gold_until: isGoldActive(end, now) ? momentOf(end) : null,
    membership: current ? presentMembership(current, now) : null,
    grant: grant ?? null,
    earlier_grants: grants.filter((each) => each !== grant),
    if_ended: ifEnded(memberships, grant !== undefined),
  };
}

/** The Gold of a psychologist. A decision is compared with all of it but the grants that are over. */
export const GOLD: Versioned<GoldRow, ReturnType<typeof present>> = {
  kind: "gold",
  present,
  ignored: ["earlier_grants"],
};

/** Consequences of a grant. @param ends_at its end; null if it has no end */
export function presentIfGranted({ memberships, grants }: GoldRow, ends_at: Date | null) {
  const before = goldUntil(memberships, grants);
  const after = laterGoldEnd(before, ends_at ?? "infinity");
  return { ends_at, gold_until: momentOf(after), lasts_longer: after !== before };
}
