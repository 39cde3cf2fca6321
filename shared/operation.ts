import { oc } from "@orpc/contract";
import { z } from "zod";
import { id, line, optional, version } from "./text.ts";

/** The same response for addresses with and without an account. */
export const AcceptedView = z.object({ accepted: z.literal(true) });

/** The version that a decision sends back: the decision is only valid for what was shown. */
export const DecisionInput = z.strictObject({ id, version });

export const DoneView = z.object({ done: z.literal(true) });

export const CreatedView = z.object({ id });

export const none = z.strictObject({});

export const IdInput = z.strictObject({ id });

/**
 * The key of a form that creates something. A request with the key and the fields of an earlier one creates nothing: it
 * gets the earlier response.
 */
export const pressKey = optional(line({ min: 1, max: 64 }));

/** The position from which a page of a list continues: the opaque `next_cursor` of the page before. */
export const cursor = optional(line({ min: 1, max: 300 }));

/** A page of a list, and the cursor of the next one; null at the end. */
export const pageView = <Item extends z.ZodType>(item: Item) =>
  z.object({ items: z.array(item), next_cursor: z.string().nullable() });

/** Declares an operation: its method, its path below /api, and what it does in a few words. */
export const operation: typeof oc.route = (route) => oc.route(route);
