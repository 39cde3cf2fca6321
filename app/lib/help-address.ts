import { useMatches } from "react-router";

/** What a route may say in its `handle`: whose country its page is about, read from what it loaded. */
export type HelpHandle<Data> = { helpCountry?: (shown: Data | undefined) => string | null | undefined };

/** The help lines, those of a country where it is known. */
export const helpAddress = (country: string | null | undefined) =>
  country ? `/ayuda?pais=${encodeURIComponent(country)}` : "/ayuda";

/** The help lines from the page one is on, with the country that this page knows of. */
export function useHelpAddress(): string {
  const known = useMatches().map((match) =>
    (match.handle as HelpHandle<unknown> | undefined)?.helpCountry?.(match.loaderData),
  );
  return helpAddress(known.findLast(Boolean));
}
