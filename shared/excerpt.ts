import { LIMITS } from "./limits.ts";

/** Returns the beginning of a text, enough for three lines. */
export const excerpt = (value: string) =>
  value.length > LIMITS.excerpt ? `${value.slice(0, LIMITS.excerpt).replace(/[\uD800-\uDBFF]$/, "")}…` : value;
