import { type SessionView, ViewerView } from "#shared/sign-in.ts";
import type { Session } from "./viewer.ts";

/** Maps the signed-in user to the view for that user. Strips other fields. */
export const presentViewer = ({ viewer }: Session): ViewerView => ViewerView.parse(viewer);

/** Maps a session, if there is one, to the view for its browser. */
export const presentSession = (session: Session | null, now: Date): SessionView => ({
  user: session && presentViewer(session),
  expires_in: session && Math.max(0, Math.floor((session.endsAt.getTime() - now.getTime()) / 1000)),
  expires_at: session?.endsAt.toISOString() ?? null,
});
