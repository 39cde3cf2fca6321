import { setTimeout } from "node:timers/promises";
import { isId } from "#shared/ids.ts";
import type { Provider } from "#shared/plans.ts";
import type { Context } from "../../context.ts";
import type { Hints, Snapshot } from "../../integrations/payment-provider.ts";
import { ProviderError } from "../../integrations/provider-error.ts";
import { checkoutByExternalId, checkoutById } from "../checkout/store.ts";
import { lockMember, membershipByExternalId } from "../store.ts";
import { applySnapshot, type Owner } from "./steps.ts";
import { paymentsOfMembership } from "./store.ts";

/**
 * Finds the owner in our own rows, else by the reference that the provider keeps: the id of the checkout or the
 * psychologist.
 * @returns null when no psychologist of ours is known for it
 */
async function findOwner(
  context: Context,
  provider: Provider,
  externalId: string,
  snapshot: Snapshot,
): Promise<Owner | null> {
  const { db } = context;
  const named = isId(snapshot.reference) ? snapshot.reference : null;
  const placed = await checkoutByExternalId(db, provider, externalId);
  const checkout = placed ?? (named ? await checkoutById(db, provider, named) : null);
  const membership = await membershipByExternalId(db, provider, externalId);
  if (membership) return { psychologist_id: membership.psychologist_id, checkout };
  const psychologist_id = checkout?.psychologist_id ?? named;
  return psychologist_id ? { psychologist_id, checkout } : null;
}

/**
 * The result of reading a provider subscription: `settled`; `waiting`, the buyer has not approved it yet; `incomplete`, it
 * does not show yet what a webhook event names; `unknown`, the provider or we know no such subscription.
 */
export type Outcome = "settled" | "waiting" | "incomplete" | "unknown";

/** How often a superseded reading is repeated: it may have seen what the later one did not ask for. */
const MAX_READINGS = 6;
/** The longest pause before the first repetition; it doubles each time, so that concurrent readings spread out. */
const MAX_PAUSE_MS = 50;

/**
 * Reads the provider and updates our membership to match; nothing else begins one. Idempotent: the browser's return, a
 * webhook event and the sweep may call it at the same time (specification, section 4.3).
 * @param hints what a webhook event names besides the provider subscription
 * @throws ProviderError
 */
export async function reconcile(
  context: Context,
  provider: Provider,
  externalId: string,
  hints: Hints = {},
): Promise<Outcome> {
  for (let readings = 0; readings < MAX_READINGS; readings++) {
    const outcome = await reconcileOnce(context, provider, externalId, hints);
    if (outcome !== "superseded") return outcome;
    // Without hints the later reading has seen the same.
    if (!Object.keys(hints).length) return "settled";
    await setTimeout(Math.random() * MAX_PAUSE_MS * 2 ** readings);
  }
  throw new ProviderError("unavailable", provider, "was read by others each time");
}

/** Reads the provider once. `superseded`: a reading that began later was settled first. */
async function reconcileOnce(
  context: Context,
  provider: Provider,
  externalId: string,
  hints: Hints,
): Promise<Outcome | "superseded"> {
  const now = context.now();
  const { db } = context;
  const before = await membershipByExternalId(db, provider, externalId);
  const checkout = await checkoutByExternalId(db, provider, externalId);
  // Before taking any lock, since a provider may take seconds to answer.
  const snapshot = await context.paymentProviders.get(provider)?.read({
    external_id: externalId,
    checkout,
    payments: before ? await paymentsOfMembership(db, before.id) : [],
    read_at: before?.read_at ?? null,
    hints,
    now,
  });
  if (!snapshot) return "unknown";
  const owner = await findOwner(context, provider, externalId, snapshot);
  if (!owner) return "unknown";
  // Until the buyer approves, the request that creates it may still be storing the checkout.
  if (!owner.checkout && !before && snapshot.state === "pending") return "waiting";
  return db.transaction().execute(async (tx) => {
    if (owner.psychologist_id && !(await lockMember(tx, owner.psychologist_id))) return "unknown";
    const outcome = await applySnapshot(context, tx, { provider, externalId, owner, snapshot, now });
    if (outcome === "unreadable") throw new ProviderError("unreadable", provider, "a payment cannot be read");
    return snapshot.is_incomplete && outcome !== "superseded" ? "incomplete" : outcome;
  });
}
