import { AppError } from "#shared/errors.ts";
import { presentPsychologistCard } from "../answers/present.ts";
import { answeringState } from "../answers/rules.ts";
import { countUnanswered } from "../consultations/store.ts";
import { api, signedIn } from "../routes.ts";
import { latestAnswers, ownNumbers, visiblePsychologist } from "./store.ts";

const { psychologists } = api;

export const psychologistRoutes = psychologists.router({
  get: psychologists.get.handler(async ({ context: request, input }) => {
    const { publicDb, now } = request.context;
    const [row, answers] = await Promise.all([
      visiblePsychologist(publicDb, input.id, now()),
      latestAnswers(publicDb, input.id),
    ]);
    if (!row) throw new AppError("psychologist_not_found");
    const { country, license_number, bio, phone, whatsapp, website } = row;
    return {
      ...presentPsychologistCard(row.id, row),
      country,
      license_number,
      bio,
      phone,
      whatsapp,
      website,
      answers: answers.map(({ id, content, created_at, upvotes, downvotes, consultation_id, title }) => ({
        id,
        content,
        created_at: created_at.toISOString(),
        upvotes,
        downvotes,
        consultation: { id: consultation_id, title },
      })),
    };
  }),

  panel: psychologists.panel.handler(async ({ context: request }) => {
    const { viewer } = signedIn(request);
    const row = viewer.user_type === "psychologist" ? await ownNumbers(request.context.db, viewer.id) : undefined;
    if (!row) throw new AppError("psychologist_not_found");
    const unanswered = await countUnanswered(request.context.publicDb, row.country);
    return {
      ...answeringState(viewer),
      answers: row.total_responses,
      votes: row.total_votes,
      rating: row.rating,
      unanswered_in_country: unanswered.n,
      country: row.country,
    };
  }),
});
