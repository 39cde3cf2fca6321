import type { Country } from "./countries.ts";

/** What each country calls the licence to practise (specification, section 3.4); the badge names the number so. It carries no zod, so pages may use it. */
export const LICENCE_NAMES: Record<Country, string> = {
  Argentina: "Matrícula",
  México: "Cédula profesional",
  España: "N.º de colegiado",
  Colombia: "Tarjeta profesional",
  Chile: "Registro de prestadores",
  Perú: "C.Ps.P.",
  Venezuela: "FPV",
  Paraguay: "Registro profesional",
  Uruguay: "Habilitación MSP",
  Ecuador: "Registro SENESCYT",
  Panamá: "Idoneidad",
};

/** The prefixes of Argentinian licences, however typed: MP for provincial, MN for national. */
const ARGENTINE_PREFIX =
  /^(?:m\.?\s*(?<letter>[pn])(?!\p{L})\.?|(?:matr[íi]cula\s+)?(?<word>provincial|nacional)(?!\p{L}))/iu;

/**
 * A licence as it is stored (specification, section 3.1): in Argentina MP or MN and the number, where a number alone counts
 * as provincial, as its badge does; elsewhere as it was typed.
 */
export function normaliseLicence(number: string, country: string | null | undefined): string {
  if (country !== "Argentina") return number;
  const found = ARGENTINE_PREFIX.exec(number);
  const kind = (found?.groups?.letter ?? found?.groups?.word ?? "p").charAt(0).toUpperCase();
  return `M${kind} ${number.slice(found?.[0].length ?? 0).replace(/^[\s.:#°º-]+/u, "")}`;
}

/** What is wrong with a licence in a country, or null: in Argentina a prefix is no licence yet. */
export const licenceProblem = (number: string, country: string | null | undefined): string | null =>
  country === "Argentina" && !/[\p{L}\p{N}]/u.test(normaliseLicence(number, country).slice(2))
    ? "Escribe también el número de tu matrícula, después de MP o MN."
    : null;
