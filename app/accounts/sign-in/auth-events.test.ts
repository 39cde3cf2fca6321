import { describe, expect, test } from "vitest";
import type { ViewerView } from "#shared/sign-in.ts";
import { eventsBetween, type SessionState } from "./auth-events.ts";

const ana: ViewerView = {
  id: "a",
  full_name: "Ana",
  email: "ana@correo.example",
  avatar_url: null,
  user_type: "user",
  is_admin: false,
  is_verified: false,
  has_gold: false,
  second_factor: false,
  notify_on_answers: true,
  new_answers: 0,
  new_notifications: 0,
};
const EARLY = "2027-01-01T00:00:00.000Z";
const LATE = "2027-01-08T00:00:00.000Z";
const state = (viewer: ViewerView | null, endsAt: string | null = viewer && EARLY): SessionState => ({
  viewer,
  endsAt,
});
const noOne = state(null);

describe("eventsBetween", () => {
  test.each<[string, SessionState | null, SessionState, string[]]>([
    ["a first response with a user", null, state(ana), ["INITIAL_SESSION"]],
    ["a first response without a user", null, noOne, ["INITIAL_SESSION"]],
    ["an unchanged visitor", noOne, noOne, []],
    ["an unchanged user", state(ana), state({ ...ana }), []],
    ["a sign-in", noOne, state(ana), ["SIGNED_IN"]],
    [
      "a sign-in with a second factor",
      noOne,
      state({ ...ana, second_factor: true }),
      ["SIGNED_IN", "MFA_CHALLENGE_VERIFIED"],
    ],
    ["a sign-out", state(ana), noOne, ["SIGNED_OUT"]],
    ["a sign-in as another user", state(ana), state({ ...ana, id: "b" }), ["SIGNED_OUT", "SIGNED_IN"]],
    ["an enabled second factor", state(ana), state({ ...ana, second_factor: true }), ["MFA_CHALLENGE_VERIFIED"]],
    ["a disabled second factor", state({ ...ana, second_factor: true }), state(ana), []],
    ["a changed name", state(ana), state({ ...ana, full_name: "Ana María" }), ["USER_UPDATED"]],
    ["a changed email", state(ana), state({ ...ana, email: "otra@correo.example" }), ["USER_UPDATED"]],
    ["a start of Gold", state(ana), state({ ...ana, has_gold: true }), ["USER_UPDATED"]],
    ["a renewed session", state(ana), state(ana, LATE), ["TOKEN_REFRESHED"]],
    ["an earlier expiry", state(ana, LATE), state(ana), []],
    [
      "a renewed session with a changed photo",
      state(ana),
      state({ ...ana, avatar_url: "/a" }, LATE),
      ["USER_UPDATED", "TOKEN_REFRESHED"],
    ],
  ])("returns the events of %s", (_what, before, after, events) => {
    expect(eventsBetween(before, after)).toEqual(events);
  });
});
