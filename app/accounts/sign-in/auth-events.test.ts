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
  answer_mails: true,
  new_answers: 0,
};
const EARLY = "2027-01-01T00:00:00.000Z";
const LATE = "2027-01-08T00:00:00.000Z";
const state = (viewer: ViewerView | null, endsAt: string | null = viewer && EARLY): SessionState => ({
  viewer,
  endsAt,
});
const noOne = state(null);

describe("between two answers of the server", () => {
  test.each<[string, SessionState | null, SessionState, string[]]>([
    ["the first, of a signed-in user", null, state(ana), ["INITIAL_SESSION"]],
    ["the first, of a visitor", null, noOne, ["INITIAL_SESSION"]],
    ["nothing new of a visitor", noOne, noOne, []],
    ["nothing new of a signed-in user", state(ana), state({ ...ana }), []],
    ["signing in", noOne, state(ana), ["SIGNED_IN"]],
    ["signing in with a code", noOne, state({ ...ana, second_factor: true }), ["SIGNED_IN", "MFA_CHALLENGE_VERIFIED"]],
    ["signing out", state(ana), noOne, ["SIGNED_OUT"]],
    ["another user signing in", state(ana), state({ ...ana, id: "b" }), ["SIGNED_OUT", "SIGNED_IN"]],
    [
      "a code that turns the second factor on",
      state(ana),
      state({ ...ana, second_factor: true }),
      ["MFA_CHALLENGE_VERIFIED"],
    ],
    ["the second factor turned off", state({ ...ana, second_factor: true }), state(ana), []],
    ["another name", state(ana), state({ ...ana, full_name: "Ana María" }), ["USER_UPDATED"]],
    ["another address", state(ana), state({ ...ana, email: "otra@correo.example" }), ["USER_UPDATED"]],
    ["Gold that begins", state(ana), state({ ...ana, has_gold: true }), ["USER_UPDATED"]],
    ["a longer session", state(ana), state(ana, LATE), ["TOKEN_REFRESHED"]],
    ["a session that ends sooner", state(ana, LATE), state(ana), []],
    [
      "a longer session and another photo",
      state(ana),
      state({ ...ana, avatar_url: "/a" }, LATE),
      ["USER_UPDATED", "TOKEN_REFRESHED"],
    ],
  ])("%s", (_what, before, after, events) => {
    expect(eventsBetween(before, after)).toEqual(events);
  });
});
