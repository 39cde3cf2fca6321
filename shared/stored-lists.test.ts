import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { CATEGORIES } from "./categories.ts";
import { CONSENTS } from "./consents.ts";
import { COUNTRIES } from "./countries.ts";
import {
  CURRENCIES,
  END_REASONS,
  PAYMENT_METHODS,
  PAYMENT_PROBLEMS,
  PAYMENT_STATUSES,
  PLAN_TYPES,
  PROVIDERS,
} from "./plans.ts";
import { USER_TYPES } from "./user-types.ts";

const schema = readFileSync(new URL("../migrations/0001_schema.sql", import.meta.url), "utf8");
const stored = Array.from(schema.matchAll(/(\w+) in \(('[^)]*')\)/g), ([, column, values]) => ({
  column,
  values: values!.slice(1, -1).split("', '").toSorted(),
}));

test.each([
  ["country", 2, COUNTRIES],
  ["category", 1, CATEGORIES],
  ["user_type", 2, USER_TYPES],
  ["kind", 1, CONSENTS],
  ["kind", 1, PAYMENT_PROBLEMS],
  ["provider", 3, PROVIDERS],
  ["provider", 2, PAYMENT_METHODS],
  ["method", 2, PAYMENT_METHODS],
  ["plan_type", 2, PLAN_TYPES],
  ["currency", 2, CURRENCIES],
  ["status", 1, PAYMENT_STATUSES],
  ["ended_by", 1, END_REASONS],
])(
  "columns %s: the schema allows the values of the shared list in %i of them",
  (name, times, list: readonly string[]) => {
    const expected = JSON.stringify(list.toSorted());
    expect(stored.filter(({ column, values }) => column === name && JSON.stringify(values) === expected)).toHaveLength(
      times,
    );
  },
);
