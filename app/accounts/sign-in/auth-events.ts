import type { ViewerView } from "#shared/sign-in.ts";

/** What can happen to who is signed in (specification, section 4, "Signing up and signing in"). */
export type AuthEvent =
  | "INITIAL_SESSION"
  | "SIGNED_IN"
  | "SIGNED_OUT"
  | "TOKEN_REFRESHED"
  | "USER_UPDATED"
  | "PASSWORD_RECOVERY"
  | "MFA_CHALLENGE_VERIFIED";

/** Who is signed in and until when, by the server's last answer to a tab; the end is an ISO 8601 moment. */
export type SessionState = { viewer: ViewerView | null; endsAt: string | null };

/** What of a viewer a user can update. The second factor has an event of its own. */
const updatable = ({ second_factor: _, ...person }: ViewerView) => JSON.stringify(person);

/**
 * What must have happened between two answers of the server, in its order. Only the server knows; tabs tell each other
 * only that there is something to ask about.
 * @param before null for the first answer of a tab
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
