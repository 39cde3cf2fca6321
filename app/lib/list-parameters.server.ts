import { redirect } from "react-router";
import { getPageContext, type RouteArgs } from "./page-request.server.ts";

/** Request of a page. `url` is the page's own URL, even for a data request. */
type Asked = Pick<RouteArgs, "context" | "url">;

function redirectWithout({ url }: Asked, names: readonly string[]): Response {
  const { pathname, searchParams } = new URL(url);
  for (const name of names) searchParams.delete(name);
  return redirect(pathname + (searchParams.size ? `?${searchParams}` : ""));
}

type Values<Known extends Record<string, readonly string[]>> = { [Name in keyof Known]?: Known[Name][number] };

/** @throws Response a redirect without unknown values, because an old or mistyped link should still work */
export function readListParameters<const Known extends Record<string, readonly string[]>>(
  args: Asked,
  known: Known,
): Values<Known> {
  const value = (name: string) => args.url.searchParams.get(name) ?? "";
  const given = Object.keys(known).filter(value);
  const unknown = given.filter((name) => !known[name]!.includes(value(name)));
  if (unknown.length) throw redirectWithout(args, unknown);
  return Object.fromEntries(given.map((name) => [name, value(name)])) as Values<Known>;
}

/** @throws Response a redirect to the first page if a cursor in the URL is invalid */
export function redirectOnInvalidCursor<List>(
  args: Asked,
  list: Promise<List>,
  places: readonly string[] = ["cursor"],
): Promise<List> {
  const { asAppError } = getPageContext(args);
  return list.catch((error: unknown) => {
    const named = places.filter((name) => args.url.searchParams.has(name));
    if (!named.length || !["invalid_input", "not_found"].includes(asAppError(error).code)) throw error;
    throw redirectWithout(args, named);
  });
}
