import type { DisplayError } from "./page-words.ts";

export const getActionError = (data: unknown): DisplayError | null =>
  typeof data === "object" && data !== null && "actionError" in data
    ? (data as { actionError: DisplayError }).actionError
    : null;
