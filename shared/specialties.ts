/** Specialties of psychologists (specification, section 3, "Fixed lists"). Imports no zod, because pages use it. */
export const SPECIALTIES = [
  "Psicología Clínica",
  "Psicología Cognitivo-Conductual",
  "Psicología Familiar",
  "Psicología Infantil",
  "Psicología Laboral",
  "Psicología Social",
  "Psicología Forense",
  "Neuropsicología",
  "Psicología de la Salud",
  "Otra",
] as const;
