import { LIMITS } from "./limits.ts";

/** The beginning of a text of which three lines are shown. */
export const excerpt = (value: string) =>
  value.length > LIMITS.excerpt ? `${value.slice(0, LIMITS.excerpt).replace(/[\uD800-\uDBFF]$/, "")}…` : value;
