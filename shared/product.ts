/** The product's name. The only place where it is spelled in code. */
export const PRODUCT_NAME = "Diván";

/** A one-sentence description, for search engines. */
export const PRODUCT_DESCRIPTION =
  "Consultas de salud mental, anónimas si quieres, respondidas por psicólogas y psicólogos con matrícula verificada.";
