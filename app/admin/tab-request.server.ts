import { redirectOnInvalidCursor } from "#app/lib/list-parameters.server.ts";
import { getPageContext, type PageContext, type RouteArgs } from "#app/lib/page-request.server.ts";

export type TabRequest = {
  api: PageContext["api"];
  asAppError: PageContext["asAppError"];
  /** Returns a query parameter, or undefined if it is missing or empty. */
  given(name: string): string | undefined;
  /**
   * Returns null if the list fails to load, so that the rest of the page renders. Redirects to the first page if the
   * cursor is invalid.
   */
  orNull<List>(list: Promise<List>): Promise<List | null>;
};

export function tabRequest(args: RouteArgs): TabRequest {
  const { api, asAppError } = getPageContext(args);
  return {
    api,
    asAppError,
    given: (name) => args.url.searchParams.get(name) || undefined,
    orNull: (list) =>
      redirectOnInvalidCursor(args, list, "cursor", "despues").catch((error: unknown) => {
        if (error instanceof Response) throw error;
        // Logs the error.
        asAppError(error);
        return null;
      }),
  };
}
