import { AppError, assertAllowed } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import { toIsoDay } from "#shared/time.ts";
import { answeringOf } from "../answers/answering.ts";
import { presentPsychologistCard } from "../answers/present.ts";
import { countUnanswered } from "../consultations/store.ts";
import { ownReviews, reviewsOf } from "../reviews/store.ts";
import { requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { recordProfileView } from "./commands.ts";
import { presentPsychologist } from "./present.ts";
import { rankedPsychologists } from "./ranking-store.ts";
import { whyCannotSeeStatistics } from "./rules.ts";
import { latestAnswers, psychologistStats, publicPsychologist, statisticsDays, viewCount } from "./store.ts";

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

  get: psychologists.get.handler(async ({ context: { viewer, publicDb, db, now }, input }) => {
    const [row, answers, reviews, own] = await Promise.all([
      publicPsychologist(publicDb, input.id, now()),
      latestAnswers(publicDb, input.id),
      reviewsOf(publicDb, input.id),
      viewer ? ownReviews(db, [input.id], viewer.id) : [],
    ]);
    if (!row) throw new AppError("psychologist_not_found");
    return presentPsychologist(row, answers, reviews, viewer, own[0]);
  }),

  recordView: psychologists.recordView.handler(async ({ context: { request, viewer }, input }) => {
    await recordProfileView(request.context, viewer, input.id, request);
    // Always the same response, because the result would reveal earlier visits.
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
    const unanswered = await countUnanswered(publicDb, row.country);
    return {
      ...(await answeringOf(db, viewer, now())),
      answers: row.total_responses,
      votes: row.total_votes,
      rating: row.rating,
      unanswered_in_country: unanswered,
      country: row.country,
      was_rejected: row.rejected_at !== null,
    };
  }),
});
