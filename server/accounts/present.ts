import type { ViewerView } from "#shared/accounts.ts";
import type { Session } from "./sessions.ts";

/** The signed-in person, for their own eyes. */
export const presentViewer = ({ viewer, endsAt }: Session): ViewerView => ({
  id: viewer.id,
  full_name: viewer.full_name,
  email: viewer.email,
  user_type: viewer.user_type,
  is_admin: viewer.is_admin,
  is_verified: viewer.is_verified,
  has_gold: viewer.has_gold,
  session_expires_at: endsAt.toISOString(),
});
