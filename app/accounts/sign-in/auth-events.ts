import type { ViewerView } from "#shared/sign-in.ts";

/** Events of the session (specification, section 4, "Signing up and signing in"). */
export type AuthEvent =
  | "INITIAL_SESSION"
  | "SIGNED_IN"
  | "SIGNED_OUT"
  | "TOKEN_REFRESHED"
  | "USER_UPDATED"
  | "PASSWORD_RECOVERY"
  | "MFA_CHALLENGE_VERIFIED";

/** Viewer and expiry (ISO 8601) in the server's last response to a tab. */
export type SessionState = { viewer: ViewerView | null; endsAt: string | null };

/** Properties of a viewer that the user can edit. The second factor has its own event. */
const updatable = ({ second_factor: _, ...person }: ViewerView) => JSON.stringify(person);

/**
 * Derives the events between two responses of the server, in order. Tabs notify each other only that something changed.
 * @param before null for the first response of a tab
 */
export function eventsBetween(before: SessionState | null, { viewer, endsAt }: SessionState): AuthEvent[] {
  if (!before) return ["INITIAL_SESSION"];
  const was = before.viewer;
  if (was?.id !== viewer?.id)
    return [
      ...(was ? (["SIGNED_OUT"] as const) : []),
      ...(viewer ? (["SIGNED_IN"] as const) : []),
      ...(viewer?.second_factor ? (["MFA_CHALLENGE_VERIFIED"] as const) : []),
    ];
  if (!was || !viewer) return [];
  return [
    ...(viewer.second_factor && !was.second_factor ? (["MFA_CHALLENGE_VERIFIED"] as const) : []),
    ...(updatable(was) !== updatable(viewer) ? (["USER_UPDATED"] as const) : []),
    ...(endsAt && before.endsAt && endsAt > before.endsAt ? (["TOKEN_REFRESHED"] as const) : []),
  ];
}
