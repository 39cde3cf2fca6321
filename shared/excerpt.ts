import { LIMITS } from "./limits.ts";
import { shortened } from "./shortened.ts";

/** Returns the beginning of a text, enough for three lines. */
export const excerpt = (value: string) => shortened(value, LIMITS.excerpt);
