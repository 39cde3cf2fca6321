const COUNT = new Intl.NumberFormat("es", { useGrouping: "always" });

/** Formats a count in Spanish: "1.284". Groups four digits too, unlike some browsers. */
export const formatCount = (value: number) => COUNT.format(value);

/** Pluralizes: "1 respuesta", "2 respuestas". */
export const pluralize = (value: number, one: string, many: string) =>
  `${formatCount(value)} ${value === 1 ? one : many}`;
