import { implement, os } from "@orpc/server";
import { contract } from "#shared/contract.ts";
import type { Context } from "../context.ts";
import type { Request } from "./request.ts";
import type { Viewer } from "./viewer.ts";

/** What an operation works with: the request that the shell resolved, who asks, and everything the server was built with. */
type OperationContext = Context & { request: Request; viewer: Viewer | null };

/** Implements the contract. The input is validated before any guard: what is wrong with it is said first. */
export const api = implement(contract, { initialInputValidationIndex: Number.NEGATIVE_INFINITY })
  .$context<{ request: Request }>()
  .use(({ context: { request }, next }) =>
    next({ context: { ...request.context, viewer: request.session?.viewer ?? null } }),
  );

/** Makes guards and limits: `operation.middleware(...)`. */
export const operation = os.$context<OperationContext>();

export const accepted = { accepted: true } as const;

export const done = { done: true } as const;
