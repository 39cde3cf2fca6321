const LIST = new Intl.ListFormat("es", { type: "conjunction" });

/** Formats a list: "el nombre, el correo y la foto". */
export const formatList = (items: readonly string[]): string => LIST.format(items);
