/** Checkboxes in JSON or in a form. A form sends "on" for a checked box and omits an unchecked one. */
import { z } from "zod";

/**
 * Converts a form's text to a boolean. Other values stay unchanged and are refused: read as "no" they would publish a
 * name.
 */
const parseCheckbox = (value: unknown) =>
  value === "on" || value === "true" ? true : value === "false" ? false : value;

/** An omitted checkbox means no. */
export const checkbox = z.preprocess(
  (value) => (value == null || value === "" ? false : parseCheckbox(value)),
  z.boolean(),
);

/** Required checkbox: a missing value is an error, not "no". */
export const requiredCheckbox = (message: string) => z.preprocess(parseCheckbox, z.boolean(message));

/** Optional checkbox: a missing value means "unchanged". */
export const optionalCheckbox = z.preprocess(parseCheckbox, z.boolean("Este dato no es válido.").optional());
