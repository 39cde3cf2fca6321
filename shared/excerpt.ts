import { LIMITS } from "./limits.ts";
import { shortened } from "./shortened.ts";

export const excerpt = (value: string) => shortened(value, LIMITS.excerpt);
