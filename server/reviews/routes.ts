import { rateLimit, requireSignIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { saveReview, withdrawReview } from "./commands.ts";

const { reviews } = api;

export const reviewRoutes = reviews.router({
  put: reviews.put
    .use(requireSignIn("sign_in_to_review"))
    .use(rateLimit("review"))
    .handler(({ context: { request, viewer }, input: { id, ...content } }) =>
      saveReview(request.context, viewer, id, content),
    ),

  delete: reviews.delete
    .use(requireSignIn("sign_in_to_review"))
    .use(rateLimit("review"))
    .handler(({ context: { request, viewer }, input }) => withdrawReview(request.context, viewer, input.id)),
});
