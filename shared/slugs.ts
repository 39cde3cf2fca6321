import type { Category } from "./categories.ts";
import type { Country } from "./countries.ts";

/** Last part of the path of a topic's page: /temas/ansiedad. Published paths must not change. */
export const CATEGORY_SLUGS: Record<Category, string> = {
  Ansiedad: "ansiedad",
  Depresión: "depresion",
  Estrés: "estres",
  Relaciones: "relaciones",
  Autoestima: "autoestima",
  Duelo: "duelo",
  "Trabajo/Estudio": "trabajo-y-estudio",
  Familia: "familia",
  Adicciones: "adicciones",
  "Otro/a": "otros-temas",
};

/** Last part of the path of a country's page: /paises/mexico. Published paths must not change. */
export const COUNTRY_SLUGS: Record<Country, string> = {
  Argentina: "argentina",
  México: "mexico",
  España: "espana",
  Colombia: "colombia",
  Chile: "chile",
  Perú: "peru",
  Venezuela: "venezuela",
  Paraguay: "paraguay",
  Uruguay: "uruguay",
  Ecuador: "ecuador",
  Panamá: "panama",
};

export const nameOfSlug = <Name extends string>(slugs: Record<Name, string>, slug: string | undefined) =>
  (Object.keys(slugs) as Name[]).find((name) => slugs[name] === slug);
