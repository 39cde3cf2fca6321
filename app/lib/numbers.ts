const COUNT = new Intl.NumberFormat("es", { useGrouping: "always" });

/** Formats a count in Spanish: "1.284". Groups four digits too, unlike some browsers. */
export const count = (value: number) => COUNT.format(value);

/** Pluralizes: "1 respuesta", "2 respuestas". */
export const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`;
