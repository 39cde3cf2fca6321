import { expect, test } from "vitest";
import { isAdmin } from "./rules.ts";

test.each([
  ["Admin@Divan.example", "admin@divan.example", true],
  ["admin@divan.example", "ADMIN@divan.example", true],
  ["admin@divan.example.evil.example", "admin@divan.example", false],
  ["xadmin@divan.example", "admin@divan.example", false],
  ["admin+1@divan.example", "admin@divan.example", false],
  ["", "admin@divan.example", false],
])("isAdmin compares %j with the configured %j and returns %j", (email, configured, expected) => {
  expect(isAdmin(email, configured)).toBe(expected);
});
