import { LIMITS } from "./limits.ts";

/**
 * Returns the beginning of a text with "…", or the whole text if it is short. Never ends within a character.
 * @param most the largest number of UTF-16 units
 */
export const shortened = (value: string, most: number) =>
  value.length > most ? `${value.slice(0, most).replace(/[\uD800-\uDBFF]$/, "")}…` : value;

/** Returns the beginning of a text, enough for three lines. */
export const excerpt = (value: string) => shortened(value, LIMITS.excerpt);
