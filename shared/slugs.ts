import { withoutAccents } from "./accents.ts";
import { CATEGORIES, type Category } from "./categories.ts";
import { COUNTRIES, type Country } from "./countries.ts";

const slugsOf = <Name extends string>(names: readonly Name[]) =>
  Object.fromEntries(names.map((name) => [name, withoutAccents(name)])) as Record<Name, string>;

/** Last part of the path of a topic's page: /temas/ansiedad. Published paths must not change. */
export const CATEGORY_SLUGS: Record<Category, string> = {
  ...slugsOf(CATEGORIES),
  "Trabajo/Estudio": "trabajo-y-estudio",
  "Otro/a": "otros-temas",
};

/** Last part of the path of a country's page: /paises/mexico. Published paths must not change. */
export const COUNTRY_SLUGS: Record<Country, string> = slugsOf(COUNTRIES);

export const nameOfSlug = <Name extends string>(slugs: Record<Name, string>, slug: string | undefined) =>
  (Object.keys(slugs) as Name[]).find((name) => slugs[name] === slug);
