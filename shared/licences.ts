import type { Country } from "./lists.ts";

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
