import { COUNTRIES, type Country } from "#shared/countries.ts";
import type { HelpLineKind, HelpLineView } from "#shared/safety.ts";
import { DAY } from "#shared/time.ts";
import lines from "./help-lines.json" with { type: "json" };

/** A way to get help from help-lines.json. Texts are Spanish for the screen. */
export type HelpLine = Readonly<HelpLineView> & {
  /** Null for the fallback of unlisted countries. */
  readonly country: Country | null;
  /** The whole number with its menu option, or the URL without a number. */
  readonly shown_number: string;
  readonly confidence: "high" | "medium" | "low";
  /** True if it precedes all other lines of its country. */
  readonly first: boolean;
};

export type HelpLineGroups = Readonly<Record<"first" | "emergency" | "others", HelpLine[]>>;

const shownLines = (country: Country | null): HelpLine[] => {
  const listed = country ? lines.countries[country] : lines.unknown;
  // TypeScript reads the JSON's texts as plain strings; help-lines.test.ts checks each value.
  return listed.map((line) => ({ country, ...line }) as HelpLine).filter((line) => line.confidence !== "low");
};
const SHOWN = new Map([...COUNTRIES, null].map((country) => [country, shownLines(country)]));

/**
 * Days after which a person must open the official page and call again. Lines change with budgets and governments, so a
 * quarter.
 */
const HELP_LINE_MAX_AGE_DAYS = 90;

/** Victims of violence can wait least, so their lines are first. */
const OTHERS_ORDER: readonly HelpLineKind[] = ["violence", "children", "crisis", "support"];

/**
 * Returns the lines to show in a country. Omits lines of low confidence.
 * @param country null returns the fallback (a directory without numbers and emergency lines)
 * @returns `first`: shown before all others, never empty; `emergency`: police, ambulance; `others`: violence, children,
 * then crisis and support
 */
export function helpLinesFor(country: Country | null): HelpLineGroups {
  const shown = SHOWN.get(country)!;
  const rest = shown.filter((line) => !line.first && line.kind !== "emergency");
  return {
    first: shown.filter((line) => line.first),
    emergency: shown.filter((line) => !line.first && line.kind === "emergency"),
    others: OTHERS_ORDER.flatMap((kind) => rest.filter((line) => line.kind === kind)),
  };
}

/** Returns all shown lines by country. The fallback is last, with `country` null. */
export const allHelpLines = () => [...COUNTRIES, null].map((country) => ({ country, ...helpLinesFor(country) }));

/**
 * Returns the shown lines that were not checked for more than 90 days (UTC), oldest first. They stay visible with their
 * date, and the administrator sees a warning.
 */
export function overdueHelpLines(now: Date): HelpLine[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return [...SHOWN.values()]
    .flat()
    .filter((line) => (today - Date.parse(line.verified_on)) / DAY > HELP_LINE_MAX_AGE_DAYS)
    .sort((a, b) => Date.parse(a.verified_on) - Date.parse(b.verified_on));
}
