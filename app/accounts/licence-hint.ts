import type { Country } from "#shared/countries.ts";

const LICENCE_HINTS: Record<Country, string> = {
  Argentina: "En Argentina: tu matrícula nacional (MN) o provincial (MP), con la provincia.",
  México: "En México: tu cédula profesional.",
  España: "En España: tu número de colegiación, con el colegio.",
  Colombia: "En Colombia: tu tarjeta profesional de COLPSIC. Tienes que figurar también en ReTHUS.",
  Chile: "En Chile: tu número del Registro de Prestadores de la Superintendencia de Salud.",
  Perú: "En Perú: tu número de colegiatura (C.Ps.P.).",
  Venezuela: "En Venezuela: tu número de FPV.",
  Paraguay: "En Paraguay: tu registro profesional del Ministerio de Salud.",
  Uruguay: "En Uruguay: el registro de tu título en el Ministerio de Salud Pública.",
  Ecuador: "En Ecuador: tu registro de SENESCYT. Necesitas también la habilitación de ACESS.",
  Panamá: "En Panamá: tu idoneidad del Consejo Técnico de Salud.",
};
const ANY_LICENCE_HINT =
  "Por ejemplo: matrícula MN o MP en Argentina, cédula profesional en México, número de colegiación en España, tarjeta profesional en Colombia.";

/** Returns the hint for the licence field: the country's term, or examples without a country. */
export const licenceHint = (country: string): string => LICENCE_HINTS[country as Country] ?? ANY_LICENCE_HINT;
