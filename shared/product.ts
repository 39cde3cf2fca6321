/** The product's name. No other place in the code contains it. */
export const PRODUCT_NAME = "Diván";

/** One-sentence description for search engines. */
export const PRODUCT_DESCRIPTION =
  "Consultas de salud mental, anónimas si quieres, respondidas por psicólogas y psicólogos con matrícula verificada.";
