/**
 * Returns the beginning of a text with "…", or the whole text if it is short. Never ends within a character. Imports no
 * limits, because pages use it.
 * @param most the largest number of UTF-16 units
 */
export const shortened = (value: string, most: number) =>
  value.length > most
    ? `${value
        .slice(0, most)
        .replace(/[\uD800-\uDBFF]$/, "")
        .trimEnd()}…`
    : value;
