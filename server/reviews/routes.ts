import { limit, signedIn } from "../sessions/guards.ts";
import { api } from "../sessions/operations.ts";
import { review, withdrawReview } from "./commands.ts";

const { reviews } = api;

export const reviewRoutes = reviews.router({
  put: reviews.put
    .use(signedIn("sign_in_to_review"))
    .use(limit("review"))
    .handler(({ context: { request, viewer }, input: { id, ...content } }) =>
      review(request.context, viewer, id, content),
    ),

  delete: reviews.delete
    .use(signedIn("sign_in_to_review"))
    .use(limit("review"))
    .handler(({ context: { request, viewer }, input }) => withdrawReview(request.context, viewer, input.id)),
});
