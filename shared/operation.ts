import { type HTTPMethod, type HTTPPath, oc } from "@orpc/contract";
import { z } from "zod";
import { id, optional, singleLine, version } from "./text.ts";

// The handlers of these two return nothing.

/** Equal responses for emails with and without an account. */
export const AcceptedView = z
  .void()
  .transform(() => ({ accepted: true as const }))
  .pipe(z.object({ accepted: z.literal(true) }));

export const DoneView = z
  .void()
  .transform(() => ({ done: true as const }))
  .pipe(z.object({ done: z.literal(true) }));

/** A decision is only valid for the shown version. */
export const DecisionInput = z.strictObject({ id, version });

export const CreatedView = z.object({ id });

export const IdInput = z.strictObject({ id });

/**
 * Key of a form that creates something. A request with the key and fields of an earlier one creates nothing and gets
 * the earlier response.
 */
export const pressKey = optional(singleLine({ min: 1, max: 64 }));

/** The opaque `next_cursor` of the previous page. */
export const cursor = optional(singleLine({ min: 1, max: 300 }));

/** A page of a list. `next_cursor` is null at the end. */
export const pageView = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** Declares an operation, without input by default: its path below /api, a summary, its status if it is not 200. */
export function operation(route: `${HTTPMethod} ${HTTPPath}`, summary?: string, successStatus?: number) {
  const [method, path] = route.split(" ") as [HTTPMethod, HTTPPath];
  return oc.$input(z.strictObject({})).route({ method, path, summary, successStatus });
}
