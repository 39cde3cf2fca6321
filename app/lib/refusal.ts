import type { WordedError } from "./page-words.ts";

export const refusalIn = (data: unknown): WordedError | null =>
  typeof data === "object" && data !== null && "refused" in data ? (data as { refused: WordedError }).refused : null;
