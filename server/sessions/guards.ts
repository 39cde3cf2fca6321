import { AppError, type ErrorCode } from "#shared/errors.ts";
import type { Press } from "../limits/presses-store.ts";
import { RATE_LIMITS, type RateLimitedAction } from "../limits/rate-limit-rules.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import { pressMark } from "../tokens.ts";
import { guard, operation } from "./operations.ts";
import type { RequestContext } from "./request-context.ts";
import { isPasswordRecent } from "./rules.ts";
import type { Session, Viewer } from "./viewer.ts";

function sessionOf({ session }: RequestContext, code: ErrorCode): Session {
  if (!session) throw new AppError(code);
  return session;
}

/**
 * Guard: requires a signed-in user.
 * @throws AppError `code`, which names the refused action
 */
export const requireSignIn = (code: ErrorCode = "sign_in_required") =>
  guard(
    operation.middleware(({ context, next }) => {
      const session = sessionOf(context.request, code);
      return next({ context: { session, viewer: session.viewer } });
    }),
  );

/**
 * Guard: requires that the user gave the password (specification, section 2.11) within 10 min.
 * @throws AppError sign_in_required, reauthentication_required
 */
export const requireRecentSignIn = guard(
  operation.middleware(({ context, next }) => {
    const session = sessionOf(context.request, "sign_in_required");
    if (!isPasswordRecent(session.passwordAt, context.now())) throw new AppError("reauthentication_required");
    return next({ context: { session, viewer: session.viewer } });
  }),
);

/**
 * Guard and limit of all operations under /api/admin. Outside the demo the administrator needs a second factor; writes
 * count toward a limit.
 * @throws AppError sign_in_required, admin_only, second_factor_required, too_many_requests
 */
export const requireAdmin = guard(
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
 * Limit: counts one use of an action for the user if the action has a limit per account, otherwise for the sender's IP.
 * @throws AppError too_many_requests
 */
export const rateLimit = (action: RateLimitedAction) =>
  operation.middleware(async ({ context, next }) => {
    await spend(action, context);
    return next();
  });

async function spend(
  action: RateLimitedAction,
  { request, viewer, rateLimits }: { request: RequestContext; viewer: Viewer | null; rateLimits: RateLimits },
): Promise<void> {
  const rule = RATE_LIMITS[action];
  const perAccount = "person" in rule && viewer;
  // Otherwise nothing would count the uses, without any error.
  if (!perAccount && !("address" in rule)) throw new Error(`rateLimit("${action}") must follow requireSignIn().`);
  await rateLimits.spend(action, perAccount ? { person: viewer.id } : { address: request.address });
}

/**
 * Limit of an operation that creates something. Passes the press to the handler for `once`; a repetition of a press is
 * not refused.
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
    // A message to the team has no link to its sender.
    const author = action === "contact" ? null : (context.viewer?.id ?? null);
    const mark = key === undefined ? null : pressMark(context.config.secret, action, author, input);
    const press: Press = { mark, refused, at: context.now() };
    return next({ context: { press } });
  });
