import { z } from "zod";
import { UUID_PATTERN } from "./ids.ts";
import { JOINED, nameError } from "./names.ts";

/** Control characters, and U+FFFD, which replaces bytes of a form that are not UTF-8. */
const FORBIDDEN = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\ufffd-\uffff]/u;
/** Visible characters: letters, numbers, punctuation, symbols. Excludes Hangul fillers and the blank Braille cell. */
const VISIBLE = /[\p{L}\p{N}\p{P}\p{S}]/u;
const LOOKS_BLANK = /[\u115f\u1160\u3164\uffa0\u2800]/gu;

const plural = (n: number) => `${n.toLocaleString("es")} ${n === 1 ? "carácter" : "caracteres"}`;

const codePointLength = (value: string) => [...value].length;

type Limit = { min: number; max: number };

function textError(value: string, { min, max }: Limit): string | null {
  if (!value.isWellFormed() || FORBIDDEN.test(value))
    return "Hay caracteres que no podemos leer. Bórralos y escribe de nuevo.";
  const length = codePointLength(value);
  if (length > 0 && !VISIBLE.test(value.replace(LOOKS_BLANK, ""))) return "Escribe algo que se pueda leer.";
  if (length === 0 && min > 0) return "Este dato es necesario.";
  if (length < min) return `Escribe al menos ${plural(min)}.`;
  if (length > max) return `Como máximo ${plural(max)}; ahora hay ${length.toLocaleString("es")}.`;
  return null;
}

export const refuse = (errorOf: (value: string) => string | null) =>
  z.superRefine<string>((value, context) => {
    const message = errorOf(value);
    if (message) context.addIssue({ code: "custom", message });
  });

/** Rejects control characters and lone surrogates before all other checks, because PostgreSQL cannot store them. */
const checked = (limit: Limit, normalise: (value: string) => string) =>
  z
    .string("Este dato es necesario.")
    .transform(normalise)
    .check(refuse((value) => textError(value, limit)));

/** Text with line breaks: `\r\n` becomes `\n`, the ends lose their white space, two or more blank lines become one. */
export const text = (limit: Limit) =>
  checked(limit, (value) =>
    value
      .replace(/\r\n?/g, "\n")
      .replace(/\n(?:[^\S\n]*\n){2,}/g, "\n\n")
      .trim(),
  );

/** Direction marks, joiners, fillers and controls. They hide or reverse words, or make two texts look the same. */
const INVISIBLE = /[\p{DI}\u0080-\u009f\ufff9-\ufffb]/u;

/** Text of one line: every run of white space becomes one space; invisible characters are refused. */
export const singleLine = (limit: Limit) =>
  checked(limit, (value) => value.replace(/[\s\u2028\u2029]+/gu, " ").trim()).refine(
    (value) =>
      !INVISIBLE.test(value) || codePointLength(value) > limit.max || !INVISIBLE.test(value.replace(JOINED, "")),
    "Hay caracteres invisibles. Suele pasar al copiar y pegar: borra el texto y escríbelo de nuevo.",
  );

/**
 * A name in its composed form, without `nameError`: an existing one, or one that is validated later if it is new.
 * Composing a very long text is slow and may change its length, so the length is checked before and after.
 */
export const nameLine = (limit: Limit) =>
  singleLine(limit)
    .transform((value) => value.normalize("NFC"))
    .check(refuse((value) => textError(value, limit)));

/** A new name, checked by `nameError`. Professions are checked with the user type. */
export const personName = (limit: Limit) => nameLine(limit).check(refuse(nameError));

/** Empty text (an untouched form field) means "not given". */
export const optional = <Output>(schema: z.ZodType<Output, string>) =>
  z
    .union([z.string(), z.null(), z.undefined()])
    .transform((value) => (value == null || value.trim() === "" ? undefined : value))
    .pipe(schema.optional())
    .optional();

type Whole = { issues: { path?: PropertyKey[] | undefined; continue?: boolean | undefined }[]; value: unknown };

/**
 * A rule that reads these fields. Also runs if other fields are invalid, so that a form reports all its problems
 * together. Does not run if one of its own fields has no value of the right type.
 */
export const refineFields = <Input extends object>(
  fields: readonly (keyof Input & string)[],
  rule: (input: Input, say: (field: keyof Input & string, message: string) => void) => void,
) =>
  z.superRefine<Input>(
    (input, context) => rule(input, (field, message) => context.addIssue({ code: "custom", path: [field], message })),
    {
      when: ({ issues, value }: Whole) =>
        value instanceof Object &&
        !Array.isArray(value) &&
        !issues.some((issue) => !issue.continue && fields.some((field) => field === issue.path?.[0])),
    },
  );

export const oneOf = <const Values extends readonly [string, ...string[]]>(
  values: Values,
  message = "Elige una opción de la lista.",
) => z.enum(values, message);

/** An id, in lower case as PostgreSQL returns it. For any other text, `server/http/errors.ts` responds 404. */
export const id = z
  .string()
  .regex(new RegExp(`^${UUID_PATTERN}$`, "i"), "not-an-id")
  .toLowerCase();

/** A time in a response: ISO 8601 in UTC. Operations may return a date. */
export const isoDateTime = z
  .union([z.string(), z.date()])
  .transform((at) => (typeof at === "string" ? at : at.toISOString()))
  .pipe(z.string());

/** The opaque version of a shown item, sent back with a decision about it (specification, section 4.2). */
export const version = z
  .string()
  .max(400)
  .regex(/^[\w-]*$/, "Este dato no es válido.");

/**
 * Converts a checkbox of a form or of JSON; a form sends "on" and omits an unchecked one. Other values stay unchanged and
 * are refused: read as "no" they would publish a name.
 */
const parseCheckbox = (value: unknown) =>
  value === "on" || value === "true" ? true : value === "false" ? false : value;

/** An omitted checkbox means no. */
export const checkbox = z.preprocess(
  (value) => (value == null || value === "" ? false : parseCheckbox(value)),
  z.boolean(),
);

export const requiredCheckbox = (message: string) => z.preprocess(parseCheckbox, z.boolean(message));

/** An omitted checkbox means "unchanged". */
export const optionalCheckbox = z.preprocess(parseCheckbox, z.boolean("Este dato no es válido.").optional());
