import type { CommunityView } from "#shared/consultations.ts";
import type { PublicDb } from "../database/handles.ts";
import { communityNumbers } from "./store.ts";

/** Maximum age of the sidebar's numbers, in milliseconds. Saves a query for most pages. */
const CACHE_MS = 10_000;

const cache = new WeakMap<PublicDb, { numbers: Promise<CommunityView>; until: number }>();

/** Returns the numbers of the community, read at most once in 10 s per process. */
export function communityStats(publicDb: PublicDb, now: Date): Promise<CommunityView> {
  const found = cache.get(publicDb);
  // If the clock was set back, do not extend the age.
  if (found && found.until > now.getTime() && found.until - now.getTime() <= CACHE_MS) return found.numbers;
  const numbers = communityNumbers(publicDb);
  cache.set(publicDb, { numbers, until: now.getTime() + CACHE_MS });
  numbers.catch(() => cache.delete(publicDb));
  return numbers;
}
