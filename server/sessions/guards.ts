import { AppError, type ErrorCode, refuse } from "#shared/errors.ts";
import type { Press } from "../limits/presses.ts";
import { RATE_LIMITS, type RateLimitedAction } from "../limits/rate-limit-rules.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { pressMark } from "../tokens.ts";
import { guard, operation } from "./operations.ts";
import type { Request } from "./request.ts";
import { whyCannotChangeSensitive } from "./rules.ts";
import type { Session, Viewer } from "./viewer.ts";

/** The session of a signed-in user. @throws AppError with the code that names what they wanted to do */
function sessionOf(request: Request, code: ErrorCode): Session {
  if (!request.session) throw new AppError(code);
  return request.session;
}

/** Guard: for signed-in users. @param code names what they wanted to do; thrown as an AppError */
export const signedIn = (code: ErrorCode = "sign_in_required") =>
  guard(
    operation.middleware(({ context, next }) => {
      const session = sessionOf(context.request, code);
      return next({ context: { session, viewer: session.viewer } });
    }),
  );

/**
 * Guard: for users who gave their password a moment ago (specification, section 9).
 * @throws AppError sign_in_required, reauthentication_required
 */
export const recentlySignedIn = guard(
  operation.middleware(({ context, next }) => {
    const session = sessionOf(context.request, "sign_in_required");
    refuse(whyCannotChangeSensitive(session, context.now()));
    return next({ context: { session, viewer: session.viewer } });
  }),
);

/**
 * Guard and limit of every operation under /api/admin. Outside the demo the administrator has a second factor; whatever
 * changes something is counted.
 * @throws AppError sign_in_required, admin_only, second_factor_required, too_many_requests
 */
export const adminOnly = guard(
  operation.middleware(async ({ context, procedure, next }) => {
    const session = sessionOf(context.request, "sign_in_required");
    if (!session.viewer.is_admin) throw new AppError("admin_only");
    if (!context.config.demo && !session.secondFactorAt) throw new AppError("second_factor_required");
    if (procedure["~orpc"].route.method !== "GET")
      await context.rateLimits.spend("moderation", { person: session.viewer.id });
    return next({ context: { session, viewer: session.viewer } });
  }),
);

/**
 * Limit: counts one use of an action, for the user where the action has a limit per account and there is a user, else for
 * the sender's address.
 * @throws AppError too_many_requests
 */
export const limit = (action: RateLimitedAction) =>
  operation.middleware(async ({ context, next }) => {
    await spend(action, context);
    return next();
  });

async function spend(
  action: RateLimitedAction,
  { request, viewer, rateLimits }: { request: Request; viewer: Viewer | null; rateLimits: RateLimits },
): Promise<void> {
  const rule = RATE_LIMITS[action];
  const perAccount = "person" in rule && viewer;
  // Otherwise nothing would be counted, and nothing would say so.
  if (!perAccount && !("address" in rule)) throw new Error(`limit("${action}") stands before signedIn().`);
  await rateLimits.spend(action, perAccount ? { person: viewer.id } : { address: request.address });
}

/**
 * Limit of an operation that creates something. It gives the handler the press, which `once` needs: a repetition of a
 * press is not refused.
 * @throws AppError too_many_requests if the request has no key
 */
export const pressOf = (action: RateLimitedAction) =>
  operation.middleware(async ({ context, next }, input: unknown) => {
    const { key } = input as { key?: string | undefined };
    const refused = await spend(action, context).then(
      () => null,
      (error: unknown) => {
        if (key !== undefined && error instanceof AppError) return error;
        throw error;
      },
    );
    // Nothing may lead from a message to the team to its sender.
    const author = action === "contact" ? null : (context.viewer?.id ?? null);
    const mark = key === undefined ? null : pressMark(context.config.secret, action, author, input);
    const press: Press = { mark, refused, at: context.now() };
    return next({ context: { press } });
  });
