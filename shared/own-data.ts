import { z } from "zod";
import { DoneView, operation } from "./operation.ts";
import { PLAN_TYPES } from "./plans.ts";
import { oneOf } from "./text.ts";

export const AccountDeletionView = z.object({
  named_consultations: z.number(),
  anonymous_consultations: z.number(),
  answers: z.number(),
  replies: z.number(),
  named_reviews: z.number(),
  anonymous_reviews: z.number(),
  votes: z.number(),
  membership: oneOf(PLAN_TYPES).nullable(),
});
export type AccountDeletionView = z.infer<typeof AccountDeletionView>;

export const ownDataOperations = {
  export: operation("POST /account/export", "All data of the user")
    .route({
      outputStructure: "detailed",
      spec: (document) => ({
        ...document,
        responses: { 200: { description: "OK", content: { "application/json": { schema: { type: "object" } } } } },
      }),
    })
    .output(z.object({ headers: z.record(z.string(), z.string()), body: z.instanceof(ReadableStream<Uint8Array>) })),
  deletionPreview: operation("GET /account/deletion", "Consequences of deleting the account").output(
    AccountDeletionView,
  ),
  close: operation("DELETE /account", "Delete the user's own account, for good")
    // `anonymous_texts`: deleted over the next days, or kept without their author.
    .input(z.strictObject({ anonymous_texts: oneOf(["delete", "keep"]) }))
    .output(DoneView),
};
