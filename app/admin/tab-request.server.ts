import { orFirstPage } from "#app/lib/list-parameters.server.ts";
import { type PageContext, type PageRequest, page } from "#app/lib/page-request.server.ts";

/** What the loader of a tab is called with. */
export type TabRequest = {
  api: PageContext["api"];
  asAppError: PageContext["asAppError"];
  /** A parameter of the address; undefined where it is missing or empty. */
  given(name: string): string | undefined;
  /** A list, or null where it fails: the rest of the page is shown all the same. An unknown place leads to its beginning. */
  orNull<List>(list: Promise<List>): Promise<List | null>;
};

/** The request of a tab from that of the page. */
export function tabRequest(args: PageRequest): TabRequest {
  const { api, asAppError } = page(args);
  return {
    api,
    asAppError,
    given: (name) => args.url.searchParams.get(name) || undefined,
    orNull: (list) =>
      orFirstPage(args, list, "cursor", "despues").catch((error: unknown) => {
        if (error instanceof Response) throw error;
        // Logged.
        asAppError(error);
        return null;
      }),
  };
}
