import { implement } from "@orpc/server";
import type { z } from "zod";
import type { SessionView } from "#shared/accounts.ts";
import { contract } from "#shared/contract.ts";
import { AppError, type ErrorCode } from "#shared/errors.ts";
import { whyNotSensitive } from "./accounts/rules.ts";
import type { Session } from "./accounts/sessions.ts";
import type { Request } from "./request.ts";

/** Implements the contract: every operation gets the request that the shell resolved. */
export const api = implement(contract).$context<Request>();

/** The session of somebody signed in. @throws AppError with the code that names what they wanted to do */
export function signedIn(request: Request, code: ErrorCode = "sign_in_required"): Session {
  if (!request.session) throw new AppError(code);
  return request.session;
}

/** The session of somebody who gave the password a moment ago. @throws AppError sign_in_required, reauthentication_required */
export function freshlySignedIn(request: Request): Session {
  const session = signedIn(request);
  const refusal = whyNotSensitive(session, request.context.now());
  if (refusal) throw new AppError(refusal);
  return session;
}

/**
 * The guard of every operation under /api/admin. Outside the demo the administrator has a second factor.
 * @throws AppError sign_in_required, admin_only, second_factor_required
 */
export function admin(request: Request): Session {
  const session = signedIn(request);
  if (!session.viewer.is_admin) throw new AppError("admin_only");
  if (!request.context.config.demo && !session.secondFactorAt) throw new AppError("second_factor_required");
  return session;
}

export const accepted = { accepted: true } as const;
export const done = { done: true } as const;
export type SessionAnswer = z.infer<typeof SessionView>;
