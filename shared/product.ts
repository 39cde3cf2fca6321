/** The product's name, as people read it. The only place where it stands in code. */
export const PRODUCT_NAME = "Diván";

/** What it is, in one sentence, for search engines. */
export const PRODUCT_DESCRIPTION =
  "Consultas de salud mental, anónimas si quieres, respondidas por psicólogas y psicólogos con matrícula verificada.";
