import { DAY_SECONDS } from "#shared/time.ts";

export type Theme = "light" | "dark";

/** The cookie that keeps the chosen theme; scripts set it too. Without it the system's theme is in force. */
export const THEME_COOKIE = "theme";
/** How long the choice is kept, in seconds. */
export const THEME_COOKIE_SECONDS = 365 * DAY_SECONDS;

export const isTheme = (value: unknown): value is Theme => value === "light" || value === "dark";
