import type { ContactMessageView } from "#shared/contact.ts";
import type { MessageRow } from "./store.ts";

export const presentMessage = (row: MessageRow): ContactMessageView => ({
  id: row.id,
  name: row.name,
  email: row.email,
  message: row.message,
  from_gold: row.from_gold,
  created_at: row.created_at.toISOString(),
  handled_at: row.handled_at?.toISOString() ?? null,
});
