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
