import { shortened } from "#shared/shortened.ts";
import { formatDay } from "#shared/time.ts";

const COUNT = new Intl.NumberFormat("es", { useGrouping: "always" });

/** Formats a count in Spanish: "1.284". Groups four digits too, unlike some browsers. */
export const formatCount = (value: number) => COUNT.format(value);

export const pluralize = (value: number, one: string, many: string) =>
  `${formatCount(value)} ${value === 1 ? one : many}`;

export const answerCount = (count: number) => (count ? pluralize(count, "respuesta", "respuestas") : "Sin respuestas");

/** Formats the day of an ISO 8601 timestamp: "3 de mayo de 2026". Uses UTC, so that server and browser agree. */
export const formatDate = (moment: string): string => formatDay(new Date(moment));

/** Formats the end of a period: "hasta el 3 de mayo de 2026", or "sin fecha de fin" for null. */
export const formatUntil = (moment: string | null): string =>
  moment ? `hasta el ${formatDate(moment)}` : "sin fecha de fin";

const LIST = /* @__PURE__ */ new Intl.ListFormat("es", { type: "conjunction" });

export const formatList = (items: readonly string[]): string => LIST.format(items);

/** Prevents a line break after a professional title: "Dr. Ana Paz". */
export const unbrokenTitle = (name: string) => name.replace(/^(\S+\.) /, "$1\u00a0");

/** Returns the beginning of a text as a description for search engines, in one line. */
export const descriptionOf = (text: string): string => shortened(text.replace(/\s+/g, " "), 154);
