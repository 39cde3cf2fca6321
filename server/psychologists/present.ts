import type { PsychologistCardView } from "#shared/answers.ts";
import type { PsychologistView, RankedView } from "#shared/psychologists.ts";
import type { ReviewingView, ReviewView } from "#shared/reviews.ts";
import type { Viewer } from "../sessions/viewer.ts";
import type { RankedRow } from "./ranking-store.ts";
import { licenceBadge, phoneLink, websiteLink, whatsappLink, whyCannotSeeStatistics } from "./rules.ts";
import type { LatestAnswerRow, PsychologistRow } from "./store.ts";

/** Maps a psychologist to the public page, with the viewer's rights. */
export function presentPsychologist(
  row: PsychologistRow,
  card: PsychologistCardView,
  answers: LatestAnswerRow[],
  reviews: ReviewView[],
  viewer: Viewer | null,
  reviewing: ReviewingView,
): PsychologistView {
  const website = websiteLink(row.website);
  return {
    ...card,
    country: row.country,
    license_number: row.license_number,
    license_badge: licenceBadge(row.license_number, row.country),
    verified_at: row.verified_at?.toISOString() ?? null,
    bio: row.bio,
    phone: row.phone,
    whatsapp: row.whatsapp,
    website: website?.href ?? null,
    links: { website, phone: phoneLink(row.phone, row.country), whatsapp: whatsappLink(row.whatsapp, row.country) },
    answers: answers.map(({ id, content, created_at, upvotes, downvotes, consultation_id, title }) => ({
      id,
      content,
      created_at: created_at.toISOString(),
      upvotes,
      downvotes,
      consultation: { id: consultation_id, title },
    })),
    reviews,
    rating_counts: row.rating_counts,
    viewer: {
      mine: viewer?.id === row.id,
      can: { ...reviewing.can, see_statistics: whyCannotSeeStatistics(viewer, row.id) === null },
      review: reviewing.review,
    },
  };
}

export const presentRanked = (row: RankedRow, card: PsychologistCardView, reviewing: ReviewingView): RankedView => ({
  ...card,
  country: row.country,
  bio: row.bio,
  viewer: reviewing,
});
