import { presentPsychologistCard } from "../answers/present.ts";
import { presentReviews } from "../reviews/present.ts";
import type { OwnReviewRow, ReviewRow } from "../reviews/store.ts";
import type { Viewer } from "../sessions/viewer.ts";
import { licenceBadge, phoneLink, websiteLink, whatsappLink, whyCannotSeeStatistics } from "./rules.ts";
import type { LatestAnswerRow, PsychologistRow } from "./store.ts";

/** Adapts a psychologist to the public page, with the viewer's rights. The contract strips the other columns. */
export function presentPsychologist(
  row: PsychologistRow,
  answers: LatestAnswerRow[],
  reviews: ReviewRow[],
  viewer: Viewer | null,
  own: OwnReviewRow | undefined,
) {
  const website = websiteLink(row.website);
  return {
    ...presentPsychologistCard(row.id, row),
    license_badge: licenceBadge(row.license_number, row.country),
    website: website?.href ?? null,
    links: { website, phone: phoneLink(row.phone, row.country), whatsapp: whatsappLink(row.whatsapp, row.country) },
    answers: answers.map((answer) => ({
      ...answer,
      consultation: { id: answer.consultation_id, title: answer.title, noindex: answer.noindex },
    })),
    reviews: presentReviews(reviews, own),
    viewer: {
      mine: viewer?.id === row.id,
      can: { see_statistics: whyCannotSeeStatistics(viewer, row.id) === null },
      review: own ?? null,
    },
  };
}
