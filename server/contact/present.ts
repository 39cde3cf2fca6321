import type { ContactMessageView } from "#shared/contact.ts";
import type { Subject } from "../versions.ts";
import type { MessageRow } from "./store.ts";

const presentMessage = (row: MessageRow): Omit<ContactMessageView, "version"> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  message: row.message,
  from_gold: row.from_gold,
  created_at: row.created_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
});

/** A message is handled for what it says. */
export const MESSAGE: Subject<MessageRow, Omit<ContactMessageView, "version">> = {
  kind: "message",
  present: presentMessage,
  aside: [],
};
