import { redirect } from "react-router";
import { type PageRequest, page } from "./page-request.server.ts";

/** Of a page's request; the address is the page's own, also where only its data are asked for. */
type Asked = Pick<PageRequest, "context" | "url">;

/** Leads to the same address without these parameters. */
function redirectWithout({ url }: Asked, names: readonly string[]): Response {
  const { pathname, searchParams } = new URL(url);
  for (const name of names) searchParams.delete(name);
  return redirect(pathname + (searchParams.size ? `?${searchParams}` : ""));
}

/**
 * Leads from an address that asks a list for values it does not know to the address of what is shown: an old or a
 * mistyped link is no form that has to be corrected.
 * @param known the values of each parameter; others are kept
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
 * Waits for a page of a list. Where its address names a place that this list does not have, it leads to the beginning.
 * @param places the parameters that name places
 * @throws Response the redirect
 */
export function orFirstPage<List>(args: Asked, list: Promise<List>, ...places: string[]): Promise<List> {
  const { asAppError } = page(args);
  return list.catch((error: unknown) => {
    const named = places.filter((name) => args.url.searchParams.has(name));
    if (!named.length || !["invalid_input", "not_found"].includes(asAppError(error).code)) throw error;
    throw redirectWithout(args, named);
  });
}
