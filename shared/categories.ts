/** Categories of consultations (specification, section 3, "Fixed lists"). Imports no zod, because pages use it. */
export const CATEGORIES = [
  "Ansiedad",
  "Depresión",
  "Estrés",
  "Relaciones",
  "Autoestima",
  "Duelo",
  "Trabajo/Estudio",
  "Familia",
  "Adicciones",
  "Otro/a",
] as const;
export type Category = (typeof CATEGORIES)[number];
