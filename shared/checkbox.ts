/** Checkboxes, in JSON or in a form: a form sends "on" for a checked box and nothing for another. */
import { z } from "zod";

/** The texts of a form as yes or no; anything else stays, and is refused: read as "no" it would publish a name. */
const yesOrNo = (value: unknown) => (value === "on" || value === "true" ? true : value === "false" ? false : value);

/** An omitted checkbox is not checked. */
export const checkbox = z.preprocess((value) => (value == null || value === "" ? false : yesOrNo(value)), z.boolean());

/** A checkbox that has to be sent: omitted it would be read as "no". */
export const saidCheckbox = (message: string) => z.preprocess(yesOrNo, z.boolean(message));

/** A checkbox that leaves things as they are where it is omitted. */
export const optionalCheckbox = z.preprocess(yesOrNo, z.boolean("Este dato no es válido.").optional());
