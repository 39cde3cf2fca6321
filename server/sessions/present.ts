import type { SessionView, ViewerView } from "#shared/sign-in.ts";
import type { Session } from "./viewer.ts";

/** Maps the signed-in user to the view for that user. */
export const presentViewer = ({
  viewer,
  avatar_url,
  secondFactorAt,
  answerMails,
  newAnswers,
  newNotifications,
}: Session): ViewerView => ({
  id: viewer.id,
  full_name: viewer.full_name,
  email: viewer.email,
  avatar_url,
  user_type: viewer.user_type,
  is_admin: viewer.is_admin,
  is_verified: viewer.is_verified,
  has_gold: viewer.has_gold,
  second_factor: secondFactorAt !== null,
  notify_on_answers: answerMails,
  new_answers: newAnswers,
  new_notifications: newNotifications,
});

/** Maps a session, if there is one, to the view for its browser. */
export const presentSession = (session: Session | null, now: Date): SessionView => ({
  user: session && presentViewer(session),
  expires_in: session && Math.max(0, Math.floor((session.endsAt.getTime() - now.getTime()) / 1000)),
  expires_at: session?.endsAt.toISOString() ?? null,
});
