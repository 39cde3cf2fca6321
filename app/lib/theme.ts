import { DAY_SECONDS } from "#shared/time.ts";

export type Theme = "light" | "dark";

/** Cookie of the chosen theme. Scripts set it too. Without it the system's theme applies. */
export const THEME_COOKIE = "theme";
export const THEME_COOKIE_SECONDS = 365 * DAY_SECONDS;

export const isTheme = (value: unknown): value is Theme => value === "light" || value === "dark";
