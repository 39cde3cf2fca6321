import { describe, expect, test } from "vitest";
import type { ViewerView } from "#shared/sign-in.ts";
import { eventsBetween, type Known } from "./auth-events.ts";

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
const known = (viewer: ViewerView | null, endsAt: string | null = viewer && EARLY): Known => ({ viewer, endsAt });
const noOne = known(null);

describe("between two answers of the server", () => {
  test.each<[string, Known | null, Known, string[]]>([
    ["the first, of a signed-in user", null, known(ana), ["INITIAL_SESSION"]],
    ["the first, of a visitor", null, noOne, ["INITIAL_SESSION"]],
    ["nothing new of a visitor", noOne, noOne, []],
    ["nothing new of a signed-in user", known(ana), known({ ...ana }), []],
    ["signing in", noOne, known(ana), ["SIGNED_IN"]],
    ["signing in with a code", noOne, known({ ...ana, second_factor: true }), ["SIGNED_IN", "MFA_CHALLENGE_VERIFIED"]],
    ["signing out", known(ana), noOne, ["SIGNED_OUT"]],
    ["another user signing in", known(ana), known({ ...ana, id: "b" }), ["SIGNED_OUT", "SIGNED_IN"]],
    [
      "a code that turns the second factor on",
      known(ana),
      known({ ...ana, second_factor: true }),
      ["MFA_CHALLENGE_VERIFIED"],
    ],
    ["the second factor turned off", known({ ...ana, second_factor: true }), known(ana), []],
    ["another name", known(ana), known({ ...ana, full_name: "Ana María" }), ["USER_UPDATED"]],
    ["another address", known(ana), known({ ...ana, email: "otra@correo.example" }), ["USER_UPDATED"]],
    ["Gold that begins", known(ana), known({ ...ana, has_gold: true }), ["USER_UPDATED"]],
    ["a longer session", known(ana), known(ana, LATE), ["TOKEN_REFRESHED"]],
    ["a session that ends sooner", known(ana, LATE), known(ana), []],
    [
      "a longer session and another photo",
      known(ana),
      known({ ...ana, avatar_url: "/a" }, LATE),
      ["USER_UPDATED", "TOKEN_REFRESHED"],
    ],
  ])("%s", (_what, before, after, events) => {
    expect(eventsBetween(before, after)).toEqual(events);
  });
});
