import type { WordedError } from "./page-words.ts";

/** The refusal in what an action answered, or null. */
export const refusalIn = (data: unknown): WordedError | null =>
  typeof data === "object" && data !== null && "refused" in data ? (data as { refused: WordedError }).refused : null;
