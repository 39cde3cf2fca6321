import { useMatches } from "react-router";

export type HelpHandle<Data> = { helpCountry?: (shown: Data | undefined) => string | null | undefined };

export const helpPath = (country: string | null | undefined) =>
  country ? `/ayuda?pais=${encodeURIComponent(country)}` : "/ayuda";

export function useHelpPath(): string {
  const known = useMatches().map((match) =>
    (match.handle as HelpHandle<unknown> | undefined)?.helpCountry?.(match.loaderData),
  );
  return helpPath(known.findLast(Boolean));
}
