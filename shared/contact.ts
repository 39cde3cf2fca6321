import { z } from "zod";
import { emailAddress } from "./account-fields.ts";
import { LIMITS } from "./limits.ts";
import { DecisionInput, DoneView, operation, pressKey } from "./operation.ts";
import { id, isoDateTime, personName, text, version } from "./text.ts";

export const ContactInput = z.strictObject({
  name: personName(LIMITS.name),
  email: emailAddress,
  message: text(LIMITS.contactMessage),
  key: pressKey,
});

export const ContactMessageView = z.object({
  id,
  version,
  name: z.string(),
  email: z.string(),
  message: z.string(),
  from_gold: z.boolean(),
  created_at: isoDateTime,
  handled_at: isoDateTime.nullable(),
});
export type ContactMessageView = z.infer<typeof ContactMessageView>;

const InboxView = z.object({ waiting: z.array(ContactMessageView), handled: z.array(ContactMessageView) });

export const contactOperations = {
  send: operation("POST /contact", "Write to the team", 201).input(ContactInput).output(DoneView),
};

export const inboxOperations = {
  read: operation("GET /admin/messages").output(InboxView),
  handle: operation("PUT /admin/messages/{id}/handling").input(DecisionInput).output(DoneView),
};
