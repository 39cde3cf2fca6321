const COUNT = new Intl.NumberFormat("es", { useGrouping: "always" });

/** A count in Spanish: "1.284". Grouped from four digits on, whatever the browser's rules for Spanish say. */
export const count = (value: number) => COUNT.format(value);

/** "1 respuesta", "2 respuestas". */
export const counted = (value: number, one: string, many: string) => `${count(value)} ${value === 1 ? one : many}`;
