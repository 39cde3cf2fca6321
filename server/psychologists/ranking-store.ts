import { LIMITS } from "#shared/limits.ts";
import { CARD } from "../answers/store.ts";
import type { PublicDb } from "../database/handles.ts";
import { hasActiveGold } from "../sessions/store.ts";

/**
 * Returns the first 10 of the ranking (specification, section 4.9): verified psychologists by rating, Gold, reviews,
 * answers; unreviewed ones last.
 *
 * Finds the 10 by an index on the rating and joins only these.
 */
export function rankedPsychologists(publicDb: PublicDb, country: string | undefined, now: Date) {
  const gold = hasActiveGold("ranked", now);
  let first = publicDb
    .selectFrom("verified_psychologists as ranked")
    .select(["ranked.id", gold.as("has_gold")])
    .orderBy("ranked.rating", (order) => order.desc().nullsLast())
    .orderBy(gold, "desc")
    .orderBy("ranked.total_reviews", "desc")
    .orderBy("ranked.total_responses", "desc")
    .orderBy("ranked.id")
    .limit(LIMITS.ranking);
  if (country) first = first.where("ranked.country", "=", country);
  return publicDb
    .selectFrom(first.as("first"))
    .innerJoin("psychologists", "psychologists.id", "first.id")
    .select(["psychologists.id", ...CARD, "psychologists.country", "psychologists.bio", "first.has_gold"])
    .orderBy("psychologists.rating", (order) => order.desc().nullsLast())
    .orderBy("first.has_gold", "desc")
    .orderBy("psychologists.total_reviews", "desc")
    .orderBy("psychologists.total_responses", "desc")
    .orderBy("psychologists.id")
    .execute();
}
