import type { DisplayError } from "./client-error-messages.ts";

export const getActionError = (data: unknown): DisplayError | null =>
  typeof data === "object" && data !== null && "actionError" in data
    ? (data as { actionError: DisplayError }).actionError
    : null;
