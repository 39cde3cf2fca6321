import { z } from "zod";
import { DoneView, none, operation } from "./operation.ts";
import { PLAN_TYPES } from "./plans.ts";
import { oneOf } from "./text.ts";

/** Download of an export. Its body is JSON. */
const ExportDownload = z.object({
  headers: z.record(z.string(), z.string()),
  body: z.instanceof(ReadableStream<Uint8Array>),
});

/** Consequences of deleting the account, shown before the deletion. */
export const ClosingView = z.object({
  named_consultations: z.number(),
  anonymous_consultations: z.number(),
  answers: z.number(),
  replies: z.number(),
  named_reviews: z.number(),
  nameless_reviews: z.number(),
  votes: z.number(),
  membership: oneOf(PLAN_TYPES).nullable(),
});
export type ClosingView = z.infer<typeof ClosingView>;

/** Fate of texts without a name: deleted over the next days, or anonymised. */
const CloseInput = z.strictObject({ nameless: oneOf(["delete", "keep"]) });

export const ownDataOperations = {
  export: operation({
    method: "POST",
    path: "/account/export",
    summary: "Everything that is kept about oneself",
    outputStructure: "detailed",
    spec: (document) => ({
      ...document,
      responses: {
        200: { description: "OK", content: { "application/json": { schema: { type: "object" } } } },
      },
    }),
  })
    .input(none)
    .output(ExportDownload),
  closing: operation({
    method: "GET",
    path: "/account/closing",
    summary: "What goes and what stays when the account is deleted",
  })
    .input(none)
    .output(ClosingView),
  close: operation({ method: "DELETE", path: "/account", summary: "Delete the user's own account, for good" })
    .input(CloseInput)
    .output(DoneView),
};
