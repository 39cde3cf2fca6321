import { CATEGORIES } from "#shared/categories.ts";
import { COUNTRIES } from "#shared/countries.ts";
import { UUID_PATTERN } from "#shared/ids.ts";
import { CATEGORY_SLUGS, COUNTRY_SLUGS } from "#shared/slugs.ts";
import { withQuery } from "./with-query.ts";

/** Public pages that their path names completely. Their parameters only sort, page or prefill. */
const NAMED_BY_PATH = new RegExp(
  `^/(home|auth|contacto|terms|privacy|temas(/[a-z-]+)?|paises/[a-z-]+|(consulta|psicologo)/${UUID_PATTERN})$`,
);

function canonicalPath({ pathname, searchParams }: URL): string | null {
  const path = pathname.replace(/(.)\/$/, "$1");
  if (NAMED_BY_PATH.test(path)) return path;
  const country = COUNTRIES.find((name) => name === searchParams.get("pais"));
  if (path === "/ayuda") return withQuery(path, { pais: country });
  if (path !== "/") return null;
  if (searchParams.get("vista") === "ranking") return withQuery(path, { vista: "ranking", pais: country });
  const category = CATEGORIES.find((name) => name === searchParams.get("categoria"));
  if (category) return `/temas/${CATEGORY_SLUGS[category]}`;
  return country ? `/paises/${COUNTRY_SLUGS[country]}` : "/";
}

/** Returns the URL under which search engines list a page, or null for a page that they must not list. */
export function canonicalUrl(url: URL, publicUrl: string): string | null {
  const path = canonicalPath(url);
  return path && publicUrl + path;
}
