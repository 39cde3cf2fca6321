import { redirect } from "react-router";
import { getPageContext, type RouteArgs } from "./page-request.server.ts";

/** Request of a page. `url` is the page's own URL, even for a data request. */
type Asked = Pick<RouteArgs, "context" | "url">;

function redirectWithout({ url }: Asked, names: readonly string[]): Response {
  const { pathname, searchParams } = new URL(url);
  for (const name of names) searchParams.delete(name);
  return redirect(pathname + (searchParams.size ? `?${searchParams}` : ""));
}

/**
 * Redirects to the URL without list parameters whose value is unknown, because an old or mistyped link should still
 * work.
 * @param known allowed values of each parameter; other parameters stay
 * @throws Response the redirect
 */
export function dropUnknownParameters(args: Asked, known: Record<string, readonly string[]>): void {
  const unknown = Object.keys(known).filter((name) => {
    const value = args.url.searchParams.get(name);
    return value && !known[name]!.includes(value);
  });
  if (unknown.length) throw redirectWithout(args, unknown);
}

/**
 * Loads a page of a list. Redirects to the first page if the cursor in the URL is invalid.
 * @param places names of the cursor parameters
 * @throws Response the redirect
 */
export function redirectOnInvalidCursor<List>(args: Asked, list: Promise<List>, ...places: string[]): Promise<List> {
  const { asAppError } = getPageContext(args);
  return list.catch((error: unknown) => {
    const named = places.filter((name) => args.url.searchParams.has(name));
    if (!named.length || !["invalid_input", "not_found"].includes(asAppError(error).code)) throw error;
    throw redirectWithout(args, named);
  });
}
