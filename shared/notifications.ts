import { z } from "zod";
import { CATEGORIES } from "./categories.ts";
import { cursor, DoneView, operation, pageView } from "./operation.ts";
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
  "payment_failed",
  "membership_ended",
] as const;

/** A notification. A reply has no author, and the author of an answer is the psychologist. */
export const NotificationView = z.object({
  id,
  kind: oneOf(NOTIFICATION_KINDS),
  created_at: isoDateTime,
  is_new: z.boolean(),
  /** Number of people who thanked for an answer. */
  people: z.number(),
  consultation: z.object({ id, title: z.string(), answer_id: id }).nullable(),
  psychologist: z.object({ full_name: z.string(), avatar_url: z.string().nullable() }).nullable(),
});
export type NotificationView = z.infer<typeof NotificationView>;

const choices = {
  /** Mails about answers to consultations that ask for them. */
  answers: z.boolean(),
  /** Daily mail about unanswered consultations, for psychologists. Empty categories mean all. */
  digest: z.boolean(),
  digest_categories: z.array(oneOf(CATEGORIES)).max(CATEGORIES.length),
  push_answers: z.boolean(),
  push_replies: z.boolean(),
};

export const NotificationChoicesView = z.object({
  ...choices,
  this_device: z.boolean(),
  /** Key with which a browser subscribes (VAPID, RFC 8292). */
  public_key: z.string(),
});
export type NotificationChoicesView = z.infer<typeof NotificationChoicesView>;

/** A browser's push subscription: its endpoint, its public key (65 bytes) and its secret (16 bytes). */
const device = z.strictObject({
  endpoint: z.string().max(1000),
  p256dh: z.string().regex(/^[\w-]{87}$/),
  auth: z.string().regex(/^[\w-]{22}$/),
});

export const notificationsOperations = {
  choices: operation("GET /notifications/choices", "The viewer's kinds and channels").output(NotificationChoicesView),
  choose: operation(
    "PUT /notifications/choices",
    "Change choices, and whether this browser gets pushes (device). Omitted fields stay",
  )
    .input(z.strictObject({ ...choices, device: device.nullable() }).partial())
    .output(DoneView),
  list: operation("GET /notifications", "The viewer's notifications, the newest first. Marks the first page as seen")
    .input(z.strictObject({ cursor }))
    .output(pageView(NotificationView)),
};
