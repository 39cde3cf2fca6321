/** Fields of providers' responses. */
import { z } from "zod";

/**
 * An optional field: null if it is absent, null or of an unknown shape, so that one strange field does not make a whole
 * payment unreadable.
 *
 * Never use it for fields that decide the owner, the plan or the amount of a payment.
 */
export const optional = <Schema extends z.ZodType>(schema: Schema) =>
  schema
    .nullish()
    .transform((value) => value ?? null)
    .catch(null);

/** The readable elements of a list. */
const readable = <Schema extends z.ZodType>(element: Schema, list: unknown[]) =>
  list.flatMap((one) => {
    const { success, data } = element.safeParse(one);
    return success ? [data] : [];
  });

/** A list that we can do without; elements of a shape that we do not know are left out. */
export const optionalList = <Schema extends z.ZodType>(element: Schema) =>
  z
    .array(z.unknown())
    .nullish()
    .catch(null)
    .transform((list) => readable(element, list ?? []));

/** A list with the number of elements of a shape that we do not know. These are left out, so that the others count. */
export const countedList = <Schema extends z.ZodType>(element: Schema) =>
  z
    .array(z.unknown())
    .default([])
    .transform((list) => {
      const items = readable(element, list);
      return { items, unreadable: list.length - items.length };
    });

/** Ids are numbers in some responses and strings in others. */
export const id = z.union([z.string().min(1), z.number().int()]).transform(String);

/** "2026-11-21T05:36:00.000-04:00"; null for never, which providers write in several ways. */
export const time = optional(z.iso.datetime({ offset: true }).transform((value) => new Date(value)));

/**
 * A decimal as whole hundredths of a currency: "60.0" -> 6000. Null for anything but a decimal number with at most two
 * significant fraction digits.
 */
function minorUnits(decimal: string): number | null {
  const [, sign, whole, fraction = ""] = /^(-?)(\d{1,13})(?:\.(\d+))?$/.exec(decimal) ?? [];
  if (whole === undefined || /[^0]/.test(fraction.slice(2))) return null;
  const amount = Number(whole + fraction.slice(0, 2).padEnd(2, "0"));
  return sign && amount ? -amount : amount;
}

/** A decimal that a provider sends as a string or a JSON number, in hundredths; never calculated with as a fraction. */
export const Decimal = z.union([z.string(), z.number()]).transform((value, issues) => {
  const amount = minorUnits(String(value));
  if (amount === null) issues.addIssue({ code: "custom", message: "is no amount of money" });
  return amount ?? z.NEVER;
});
