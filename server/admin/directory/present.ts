import type { AdminPsychologistView, OverdueHelpLineView } from "#shared/admin.ts";
import type { HelpLine } from "../../safety/help-lines.ts";
import { isCheckDue } from "../verification/rules.ts";
import type { PsychologistRow } from "../verification/store.ts";

/** Maps a row to the fields of the list that no decision considers, because they change often. */
export const presentListFields = (row: PsychologistRow, now: Date) =>
  ({
    is_verified: row.is_verified,
    check_due: isCheckDue(row.verified_at, now),
    has_gold: row.gold_until !== null && row.gold_until > now,
    rating: row.rating,
    total_reviews: row.total_reviews,
    total_responses: row.total_responses,
  }) satisfies Partial<AdminPsychologistView>;

export const presentOverdue = (line: HelpLine): OverdueHelpLineView => ({
  country: line.country,
  name: line.name,
  shown_number: line.shown_number,
  dial_number: line.dial_number,
  hours: line.hours,
  official_url: line.official_url,
  verified_on: line.verified_on,
});
