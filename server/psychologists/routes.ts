import { AppError, assertAllowed } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { minuteOf, toIsoDay } from "#shared/time.ts";
import { answeringOf, presentPsychologistCard } from "../answers/present.ts";
import { countUnanswered } from "../consultations/store.ts";
import { ownReviews, reviewsOf } from "../reviews/store.ts";
import { requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { licenceBadge, phoneLink, websiteLink, whatsappLink, whyCannotSeeStatistics } from "./rules.ts";
import {
  insertProfileView,
  isPsychologist,
  latestAnswers,
  psychologistStats,
  publicPsychologist,
  rankedPsychologists,
  statisticsDays,
  viewCount,
  viewerHash,
} from "./store.ts";

const { psychologists } = api;

export const psychologistRoutes = psychologists.router({
  ranking: psychologists.ranking.handler(async ({ context: { viewer, publicDb, db, now }, input }) => {
    const rows = await rankedPsychologists(publicDb, input.country, now());
    const ids = rows.map((row) => row.id);
    const own = viewer && ids.length ? await ownReviews(db, ids, viewer.id) : [];
    const ownOf = new Map(own.map((review) => [review.psychologist_id, review]));
    return rows.map((row) => ({
      ...presentPsychologistCard(row.id, row),
      viewer: { review: ownOf.get(row.id) ?? null },
    }));
  }),

  get: psychologists.get.handler(async ({ context: { viewer, publicDb, db, now }, input: { id } }) => {
    const [row, answers, reviews, [own]] = await Promise.all([
      publicPsychologist(publicDb, id, now()),
      latestAnswers(publicDb, id),
      reviewsOf(publicDb, id),
      viewer ? ownReviews(db, [id], viewer.id) : [],
    ]);
    if (!row) throw new AppError("psychologist_not_found");
    const website = websiteLink(row.website);
    return {
      ...presentPsychologistCard(id, row),
      license_badge: licenceBadge(row.license_number, row.country),
      website: website?.href ?? null,
      links: { website, phone: phoneLink(row.phone, row.country), whatsapp: whatsappLink(row.whatsapp, row.country) },
      answers: answers.map(({ consultation_id, title, noindex, ...answer }) => ({
        ...answer,
        consultation: { id: consultation_id, title, noindex },
      })),
      reviews: reviews.map((review) => ({
        ...review,
        created_at: minuteOf(review.created_at),
        edited_at: review.edited_at && minuteOf(review.edited_at),
        // The view contains the name only if the author shows it.
        author_label: review.author_label ?? (review.by_colleague ? "Colega" : "Usuario"),
        mine: review.id === own?.id,
      })),
      viewer: {
        mine: viewer?.id === id,
        can: { see_statistics: whyCannotSeeStatistics(viewer, id) === null },
        review: own ?? null,
      },
    };
  }),

  // Neither the response nor the SQL statements reveal whether the visit counted, because that would reveal earlier ones.
  recordView: psychologists.recordView.handler(async ({ context, input: { id } }) => {
    const { request, viewer, config, db, rateLimits, now } = context;
    if (viewer?.id === id) return true;
    if (!(await isPsychologist(db, id))) throw new AppError("psychologist_not_found");
    const full = await rateLimits.trySpend("profile_view", { address: request.address, target: id });
    const day = toIsoDay(now());
    const mark = viewerHash(config.secret, id, request, day);
    await insertProfileView(db, { psychologist_id: id, day, mark, within: full === null });
    return true;
  }),

  viewCount: psychologists.viewCount.handler(async ({ context: { viewer, db }, input }) => {
    assertAllowed(whyCannotSeeStatistics(viewer, input.id));
    return viewCount(db, input.id);
  }),

  statistics: psychologists.statistics.handler(async ({ context: { viewer, db, now }, input }) => {
    assertAllowed(whyCannotSeeStatistics(viewer, input.id));
    const [numbers, visits, days] = await Promise.all([
      psychologistStats(db, input.id),
      viewCount(db, input.id),
      statisticsDays(db, input.id, toIsoDay(now()), LIMITS.statisticsDays),
    ]);
    if (!numbers) throw new AppError("psychologist_not_found");
    const { total_responses: answers, total_reviews: reviews, total_votes: votes } = numbers;
    return { visits, answers, reviews, votes, days };
  }),

  panel: psychologists.panel.use(requireSignIn()).handler(async ({ context: { viewer, db, publicDb, now } }) => {
    const row = viewer.user_type === "psychologist" ? await psychologistStats(db, viewer.id) : undefined;
    if (!row) throw new AppError("psychologist_not_found");
    const { country, rating, total_responses: answers, total_votes: votes, rejected_at } = row;
    const unanswered_in_country = await countUnanswered(publicDb, country);
    const answering = await answeringOf(db, viewer, now());
    return { ...answering, answers, votes, rating, unanswered_in_country, country, was_rejected: rejected_at !== null };
  }),
});
