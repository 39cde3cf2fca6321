import { z } from "zod";
import { cursor, operation, pageView } from "./operation.ts";
import { id, isoDateTime, oneOf } from "./text.ts";

/** Kinds of events about the viewer's own texts, account and membership (specification, section 2.12). */
const NOTIFICATION_KINDS = [
  "answer",
  "reply_to_consultation",
  "reply",
  "thanked",
  "verified",
  "rejected",
  "charged",
  "membership_ended",
] as const;

/** A notification. A reply has no author, and the author of an answer is the psychologist. */
export const NotificationView = z.object({
  id,
  kind: oneOf(NOTIFICATION_KINDS),
  created_at: isoDateTime,
  is_new: z.boolean(),
  /** Number of people who did it: those who thanked for an answer. */
  people: z.number(),
  /** The consultation with the answer or reply. */
  consultation: z.object({ id, title: z.string(), answer_id: id }).nullable(),
  psychologist: z.object({ full_name: z.string(), avatar_url: z.string().nullable() }).nullable(),
});
export type NotificationView = z.infer<typeof NotificationView>;

export const notificationsOperations = {
  list: operation({
    method: "GET",
    path: "/notifications",
    summary: "The viewer's notifications, the newest first. Marks the first page as seen",
  })
    .input(z.strictObject({ cursor }))
    .output(pageView(NotificationView)),
};
