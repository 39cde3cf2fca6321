import type { Country } from "./countries.ts";

/** Term of each country for the licence to practise, used in the badge (specification, section 3.4). */
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

/** Prefixes of Argentinian licences in any spelling: MP for provincial, MN for national. */
const ARGENTINE_PREFIX =
  /^(?:m\.?\s*(?<letter>[pn])(?!\p{L})\.?|(?:matr[íi]cula\s+)?(?<word>provincial|nacional)(?!\p{L}))/iu;

/**
 * Returns the stored form of a licence (specification, section 3.1). In Argentina it is MP or MN and the number; a number
 * alone counts as provincial, as in its badge.
 */
export function normaliseLicence(number: string, country: string | null | undefined): string {
  if (country !== "Argentina") return number;
  const found = ARGENTINE_PREFIX.exec(number);
  const kind = (found?.groups?.letter ?? found?.groups?.word ?? "p").charAt(0).toUpperCase();
  return `M${kind} ${number.slice(found?.[0].length ?? 0).replace(/^[\s.:#°º-]+/u, "")}`;
}

/** Returns the Spanish error of a licence, or null. In Argentina a prefix alone is an error. */
export const licenseError = (number: string, country: string | null | undefined): string | null =>
  country === "Argentina" && !/[\p{L}\p{N}]/u.test(normaliseLicence(number, country).slice(2))
    ? "Escribe también el número de tu matrícula, después de MP o MN."
    : null;
