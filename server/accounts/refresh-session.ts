import type { SessionView } from "#shared/sign-in.ts";
import { presentSession } from "../sessions/present.ts";
import type { RequestContext } from "../sessions/request-context.ts";
import { resolveSession } from "../sessions/session.ts";

/** Loads the session again after the request changed it. */
export async function refreshSession(request: RequestContext): Promise<SessionView> {
  request.session = await resolveSession(request.context, request.cookies);
  return presentSession(request.session, request.context.now());
}
