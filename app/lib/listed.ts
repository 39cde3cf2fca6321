const LIST = new Intl.ListFormat("es", { type: "conjunction" });

/** "el nombre, el correo y la foto". */
export const listed = (items: readonly string[]): string => LIST.format(items);
