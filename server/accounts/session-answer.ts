import type { SessionAnswer } from "../sessions/operations.ts";
import { presentSession } from "../sessions/present.ts";
import type { Request } from "../sessions/request.ts";
import { resolveSession } from "../sessions/session.ts";

/** Reads the session again after a change. */
export async function currentSession(request: Request): Promise<SessionAnswer> {
  request.session = await resolveSession(request.context, request.cookies);
  return presentSession(request.session, request.context.now());
}
