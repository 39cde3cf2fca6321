import type { HelpLinesView, HelpLineView } from "#shared/safety.ts";

export type HelpLineGroupsView = Omit<HelpLinesView, "country">;

/** Where or when a line may not answer. "Desde ..." only names the phones. @returns null if it always does */
export const availabilityNote = ({ reach }: HelpLineView): string | null =>
  reach?.startsWith("Desde ") ? null : reach;

export const hoursAndCost = ({ hours, cost }: HelpLineView) =>
  [hours, hours ? cost?.toLocaleLowerCase("es") : cost].filter(Boolean).join(", ");

export const callWords = ({ name, kind, hours }: HelpLineView): string => {
  const [, telephones] = /, (desde .*)/.exec(name) ?? [];
  if (telephones) return telephones.replace("d", "D");
  if (kind === "emergency") return name.replace(/ \(.*/, "");
  return hours === "24/7" ? "Para hablar, 24/7" : "Para hablar";
};

/** Returns the `tel:` URL of a number. "#" must be encoded, because it would start the fragment. "*" stays. */
export const telHref = (number: string) => `tel:${encodeURIComponent(number)}`;

export const helpLineKey = ({ country, name, shown_number }: HelpLineView) => `${country} ${name} ${shown_number}`;
