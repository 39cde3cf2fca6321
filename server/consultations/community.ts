import type { CommunityView } from "#shared/consultations.ts";
import type { PublicDb } from "../database/handles.ts";
import { communityNumbers } from "./store.ts";

/** Maximum age of the sidebar's numbers, in milliseconds. Saves a query for most pages. */
const KEPT_MS = 10_000;

const kept = new WeakMap<PublicDb, { numbers: Promise<CommunityView>; until: number }>();

/** Returns the numbers of the community, read at most once in 10 s per process. */
export function community(publicDb: PublicDb, now: Date): Promise<CommunityView> {
  const found = kept.get(publicDb);
  // If the clock was set back, do not extend the age.
  if (found && found.until > now.getTime() && found.until - now.getTime() <= KEPT_MS) return found.numbers;
  const numbers = communityNumbers(publicDb);
  kept.set(publicDb, { numbers, until: now.getTime() + KEPT_MS });
  numbers.catch(() => kept.delete(publicDb));
  return numbers;
}
