import { api, signedIn } from "../routes.ts";
import { review, withdrawReview } from "./commands.ts";

const { reviews } = api;

export const reviewRoutes = reviews.router({
  put: reviews.put.handler(async ({ context: request, input: { id, ...content } }) => {
    const { viewer } = signedIn(request, "sign_in_to_review");
    await request.context.rateLimits.spend("review", { person: viewer.id });
    return review(request.context, viewer, id, content);
  }),

  delete: reviews.delete.handler(async ({ context: request, input }) => {
    const { viewer } = signedIn(request, "sign_in_to_review");
    await request.context.rateLimits.spend("review", { person: viewer.id });
    return withdrawReview(request.context, viewer, input.id);
  }),
});
