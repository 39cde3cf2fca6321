/** Countries of the product (specification, section 3, "Fixed lists"). Imports no zod, because pages use it. */
export const COUNTRIES = [
  "Argentina",
  "México",
  "España",
  "Colombia",
  "Chile",
  "Perú",
  "Venezuela",
  "Paraguay",
  "Uruguay",
  "Ecuador",
  "Panamá",
] as const;
export type Country = (typeof COUNTRIES)[number];
