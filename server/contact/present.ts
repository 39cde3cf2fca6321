import type { ContactMessageView } from "#shared/contact.ts";
import type { Unversioned, Versioned } from "../versions.ts";
import type { MessageRow } from "./store.ts";

const presentMessage = (row: MessageRow): Unversioned<ContactMessageView> => ({
  id: row.id,
  name: row.name,
  email: row.email,
  message: row.message,
  from_gold: row.from_gold,
  created_at: row.created_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
});

/** Versioned fields of a message: all of them. */
export const MESSAGE: Versioned<MessageRow, Unversioned<ContactMessageView>> = {
  kind: "message",
  present: presentMessage,
  ignored: [],
};
