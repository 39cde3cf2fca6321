import type { CommunityView } from "#shared/consultations.ts";
import type { PublicDb } from "../database/handles.ts";
import { communityNumbers } from "./store.ts";

/** How stale the sidebar's numbers may be: counting a million rows for every visitor would be too expensive. */
const KEPT_MS = 10_000;

const kept = new WeakMap<PublicDb, { numbers: Promise<CommunityView>; until: number }>();

/** Numbers of the community, counted at most once in ten seconds per node. */
export function community(publicDb: PublicDb, now: Date): Promise<CommunityView> {
  const found = kept.get(publicDb);
  // A clock that was set back must not keep them longer.
  if (found && found.until > now.getTime() && found.until - now.getTime() <= KEPT_MS) return found.numbers;
  const numbers = communityNumbers(publicDb);
  kept.set(publicDb, { numbers, until: now.getTime() + KEPT_MS });
  numbers.catch(() => kept.delete(publicDb));
  return numbers;
}
