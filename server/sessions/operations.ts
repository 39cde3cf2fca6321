import { implement, isProcedure, os } from "@orpc/server";
import { contract } from "#shared/contract.ts";
import type { Context } from "../context.ts";
import type { RequestContext } from "./request-context.ts";
import type { Viewer } from "./viewer.ts";

type OperationContext = Context & { request: RequestContext; viewer: Viewer | null };

/** Implements the contract. Validates the input first, or after the guards that `authorizeFirst` finds. */
export const api = implement(contract, { initialInputValidationIndex: Number.NEGATIVE_INFINITY })
  .$context<{ request: RequestContext }>()
  .use(({ context: { request }, next }) =>
    next({ context: { ...request.context, viewer: request.session?.viewer ?? null } }),
  );

/** Creates guards and limits: `operation.middleware(...)`. */
export const operation = os.$context<OperationContext>();

const guards = new WeakSet<object>();

/** Marks a middleware that decides who may call an operation. */
export function guard<Middleware extends object>(middleware: Middleware): Middleware {
  guards.add(middleware);
  return middleware;
}

/** Validates the input of each operation after its last guard, so that only its limits and handler see the input. */
export function authorizeFirst<Router extends object>(router: Router): Router {
  for (const item of Object.values(router))
    if (isProcedure(item)) {
      const definition = item["~orpc"];
      definition.inputValidationIndex = definition.middlewares.findLastIndex((one) => guards.has(one)) + 1;
    } else authorizeFirst(item);
  return router;
}
