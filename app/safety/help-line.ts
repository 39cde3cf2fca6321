/** One help line: what of it is shown, and how it is called. */
import type { HelpLinesView } from "#shared/safety.ts";

export type HelpLineView = HelpLinesView["first"][number];

/** The lines of a country, or of all others, by how urgent they are. */
export type HelpLineGroupsView = Omit<HelpLinesView, "country">;

/**
 * Where or when a line may leave people of its country without an answer, and what to do then; null where it serves the
 * whole country. "Desde ..." only says from which telephones.
 */
export const mayNotAnswer = ({ reach }: HelpLineView): string | null => (reach?.startsWith("Desde ") ? null : reach);

/** "24/7, gratis" */
export const whenAndFor = ({ hours, cost }: HelpLineView) =>
  [hours, hours ? cost?.toLocaleLowerCase("es") : cost].filter(Boolean).join(", ");

/** Words under the number of a line: who can call it, or what it is for. */
export const callWords = ({ name, kind, hours }: HelpLineView): string => {
  const [, telephones] = /, (desde .*)/.exec(name) ?? [];
  if (telephones) return telephones.replace("d", "D");
  if (kind === "emergency") return name.replace(/ \(.*/, "");
  return hours === "24/7" ? "Para hablar, 24/7" : "Para hablar";
};

/** The address that calls a number. "#" ends an address, so it has to be written as %23; "*" stays as it is. */
export const telephone = (number: string) => `tel:${encodeURIComponent(number)}`;

/** What tells the lines of a list apart. */
export function keyOf(line: HelpLineView): string {
  return `${line.country} ${line.name} ${line.shown_number}`;
}
