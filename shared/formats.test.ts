import { expect, test } from "vitest";
import { operations } from "#test/operations.ts";
import { retryDetails } from "./errors.ts";
import { shortened } from "./shortened.ts";
import { minuteOf, toIsoDay } from "./time.ts";
import { tintOf } from "./tint.ts";

test("toIsoDay returns the day in UTC", () => {
  expect(toIsoDay(new Date("2026-03-02T23:59:59.999Z"))).toBe("2026-03-02");
  expect(toIsoDay(new Date("2026-03-02T22:00:00.000-03:00"))).toBe("2026-03-03");
});

test("minuteOf cuts seconds and milliseconds", () => {
  expect(minuteOf(new Date("2026-03-02T23:59:59.999Z"))).toBe("2026-03-02T23:59:00.000Z");
});

test.each([
  ["Hola", 4, "Hola"],
  ["Hola a todos", 5, "Hola…"],
  ["Hola 👍", 6, "Hola…"],
  ["Hola 👍!", 7, "Hola 👍…"],
])("shortened returns the beginning of %j in %i units: %j", (text, most, beginning) =>
  expect(shortened(text, most)).toBe(beginning),
);

test.each([
  [1_001, 2],
  [1_000, 1],
  [-5_000, 1],
])("retryDetails of a limit that ends in %i ms returns %i s", (milliseconds, retry_after_seconds) => {
  const now = new Date("2026-03-02T12:00:00.000Z");
  const until = new Date(now.getTime() + milliseconds);
  expect(retryDetails(until, now)).toEqual({ until: until.toISOString(), retry_after_seconds });
});

test("tintOf returns the sum of an id's characters modulo 8, plus 1", () => {
  expect(["ab", "a", "h", "0f8fad5b-d9cb-469f-a165-70867728950e"].map(tintOf)).toEqual([4, 2, 1, 5]);
});

test("a search accepts the pages 2 to 20", () => {
  const { cursor } = operations.find(({ name }) => name === "search.consultations")!.fields;
  const pages = ["0", "1", "2", "20", "21", "02", "2x"];
  expect(pages.filter((page) => cursor!.safeParse(page).success)).toEqual(["2", "20"]);
});
