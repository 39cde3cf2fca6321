const MAX_DESCRIPTION = 155;

/** Returns the beginning of a text as a description for search engines, in one line. */
export function descriptionOf(text: string): string {
  const line = text.replace(/\s+/g, " ");
  return line.length > MAX_DESCRIPTION ? `${line.slice(0, MAX_DESCRIPTION - 1).trimEnd()}…` : line;
}
