import { expect, test } from "vitest";
import { Decimal } from "./response-fields.ts";

test.each([
  ["4.9", 490],
  ["60.0", 6000],
  ["0.07", 7],
  ["4.990", 499],
  ["-4.99", -499],
  [4999.5, 499_950],
  ["1234567.89", 123_456_789],
  ["4.995", undefined],
  ["4,99", undefined],
  ["", undefined],
  ["1e3", undefined],
  [1.001, undefined],
  ["99999999999999999", undefined],
])("reads the amount %s as %s hundredths", (written, hundredths) => {
  expect(Decimal.safeParse(written).data).toBe(hundredths);
});
