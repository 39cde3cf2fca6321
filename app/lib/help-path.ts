import { useMatches } from "react-router";

export type HelpHandle<Data> = { helpCountry?: (shown: Data | undefined) => string | null | undefined };

/** Path of the help lines, filtered by country if it is known. */
export const helpPath = (country: string | null | undefined) =>
  country ? `/ayuda?pais=${encodeURIComponent(country)}` : "/ayuda";

/** Returns the path of the help lines for the country of the current page. */
export function useHelpPath(): string {
  const known = useMatches().map((match) =>
    (match.handle as HelpHandle<unknown> | undefined)?.helpCountry?.(match.loaderData),
  );
  return helpPath(known.findLast(Boolean));
}
