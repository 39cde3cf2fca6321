/** The product's name, as people read it. The only place where it stands in code. */
export const PRODUCT_NAME = "Diván";
