import { createElement } from "react";
import { renderToString } from "react-dom/server";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { expect, test } from "./situations.ts";

function Outside() {
  useAuth();
  return null;
}

test("throws if useAuth is used outside of its provider", ({ shownElsewhere }) => {
  const words = "useAuth must be used within an AuthProvider";
  expect(() => renderToString(createElement(Outside))).toThrow(words);
  shownElsewhere("S8.9-5", words);
});
