/** One help line: what of it is shown, and how it is called. */

/** What the screen needs of one line, as the API sends it; the server's own lines fit it as they are. */
export type HelpLineView = {
  readonly country: string | null;
  readonly name: string;
  readonly kind: string;
  readonly shown_number: string | null;
  readonly dial_number: string | null;
  readonly channel: string;
  readonly contact_url: string | null;
  readonly hours: string | null;
  readonly cost: string | null;
  readonly reach: string | null;
  readonly official_url: string | null;
  /** YYYY-MM-DD */
  readonly verified_on: string;
};

export type HelpLineGroupsView = {
  readonly first: readonly HelpLineView[];
  readonly emergency: readonly HelpLineView[];
  readonly others: readonly HelpLineView[];
};

/**
 * Where or when a line may leave people of its country without an answer, and what to do then; null where it serves the
 * whole country. "Desde ..." only says from which telephones.
 */
export const mayNotAnswer = ({ reach }: HelpLineView): string | null => (reach?.startsWith("Desde ") ? null : reach);

/** "24/7, gratis" */
export const whenAndFor = ({ hours, cost }: HelpLineView) =>
  [hours, hours ? cost?.toLocaleLowerCase("es") : cost].filter(Boolean).join(", ");

/** The address that calls a number. "#" ends an address, so it has to be written as %23; "*" stays as it is. */
export const telephone = (number: string) => `tel:${encodeURIComponent(number)}`;

/** What tells the lines of a list apart. */
export function keyOf(line: HelpLineView): string {
  return `${line.country} ${line.name} ${line.shown_number}`;
}
