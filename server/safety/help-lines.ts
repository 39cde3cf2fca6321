import { COUNTRIES, type Country } from "#shared/countries.ts";
import { DAY } from "#shared/time.ts";
import lines from "./help-lines.json" with { type: "json" };

type HelpLineKind = "crisis" | "emergency" | "violence" | "children" | "support";
type HelpLineChannel = "phone" | "whatsapp" | "chat" | "mail";
type HelpLineConfidence = "high" | "medium" | "low";

/** One way to reach help, as it stands in help-lines.json. Texts are Spanish, for the screen. */
export type HelpLine = {
  /** Null for the fallback of countries that are not in the list. */
  readonly country: Country | null;
  readonly name: string;
  readonly kind: HelpLineKind;
  /** The whole number with its menu option; the address when there is no number. */
  readonly shown_number: string;
  /** What a tel: link dials (digits, * and #). Null when the line is not reached by a call. */
  readonly dial_number: string | null;
  readonly channel: HelpLineChannel;
  /** WhatsApp, chat or mail address to open; null for calls. */
  readonly contact_url: string | null;
  /** "24/7" only where a source says so; null when no source gives the hours. */
  readonly hours: string | null;
  /** Null when no source says what a call costs. */
  readonly cost: string | null;
  /** Who can use it and from where; null when nothing limits it that we know of. */
  readonly reach: string | null;
  readonly official_url: string | null;
  /**
   * Day (YYYY-MM-DD) of the newest source of the line, or of its country where the line has none of its own.
   * A source that gives only a month or a year counts as its first day, so that nothing looks fresher than it is.
   */
  readonly verified_on: string;
  readonly confidence: HelpLineConfidence;
  /** Shown before everything else in its country. */
  readonly first: boolean;
};

export type HelpLineGroups = {
  readonly first: HelpLine[];
  readonly emergency: HelpLine[];
  readonly others: HelpLine[];
};

export type CountryHelpLines = HelpLineGroups & { readonly country: Country | null };

type HelpLinesFile = {
  readonly countries: Readonly<Record<Country, readonly HelpLine[]>>;
  readonly unknown: readonly HelpLine[];
};

// TypeScript reads the JSON's texts as plain strings; help-lines.test.ts checks each value.
const file = lines as HelpLinesFile;

/**
 * After this many days a person has to open the official page and call again. A quarter: lines change with budgets and
 * governments.
 */
const HELP_LINE_MAX_AGE_DAYS = 90;

/** Victims of violence come first: they can wait least. */
const OTHERS_ORDER: readonly HelpLineKind[] = ["violence", "children", "crisis", "support"];

/**
 * The lines to show in a country, never those of low confidence.
 * @param country name of the product's list as the person chose it; null, or a name that is not in the list, gives the
 * fallback (a directory, no number, no emergency lines)
 * @returns `first`: to be shown before everything else, never empty; `emergency`: police, ambulance; `others`: violence,
 * children, then crisis and support
 */
export function helpLinesFor(country: string | null): HelpLineGroups {
  return grouped(hasHelpLines(country) ? file.countries[country] : file.unknown);
}

/** Every line that may be shown, country by country in the product's order; the fallback comes last, with `country` null. */
export function allHelpLines(): CountryHelpLines[] {
  return [
    ...COUNTRIES.map((country) => ({ country, ...helpLinesFor(country) })),
    { country: null, ...helpLinesFor(null) },
  ];
}

/**
 * The shown lines that were not checked for more than 90 days, oldest first. They stay visible with their date; the
 * administrator is warned.
 * @param now the moment to compare with (whole days, UTC)
 */
export function overdueHelpLines(now: Date): HelpLine[] {
  const today = Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate());
  return [...COUNTRIES.flatMap((country) => file.countries[country]), ...file.unknown]
    .filter(isShown)
    .filter((line) => (today - Date.parse(line.verified_on)) / DAY > HELP_LINE_MAX_AGE_DAYS)
    .sort((a, b) => Date.parse(a.verified_on) - Date.parse(b.verified_on));
}

/** Whether a text names a country that has its own lines. */
function hasHelpLines(country: string | null): country is Country {
  return COUNTRIES.some((known) => known === country);
}

function isShown(line: HelpLine): boolean {
  return line.confidence !== "low";
}

function grouped(all: readonly HelpLine[]): HelpLineGroups {
  const shown = all.filter(isShown);
  const rest = shown.filter((line) => !line.first && line.kind !== "emergency");
  return {
    first: shown.filter((line) => line.first),
    emergency: shown.filter((line) => !line.first && line.kind === "emergency"),
    others: OTHERS_ORDER.flatMap((kind) => rest.filter((line) => line.kind === kind)),
  };
}
