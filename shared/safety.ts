import { z } from "zod";
import { COUNTRIES } from "./countries.ts";
import { operation } from "./operation.ts";
import { oneOf, optional } from "./text.ts";

export const HELP_LINE_KINDS = ["crisis", "emergency", "violence", "children", "support"] as const;
export type HelpLineKind = (typeof HELP_LINE_KINDS)[number];
export const HELP_LINE_CHANNELS = ["phone", "whatsapp", "chat", "mail"] as const;
export type HelpLineChannel = (typeof HELP_LINE_CHANNELS)[number];

export const HelpLineView = z.object({
  country: z.string().nullable(),
  name: z.string(),
  kind: oneOf(HELP_LINE_KINDS),
  shown_number: z.string().nullable(),
  /** Number of a tel: link (digits, * and #), or null without a call. */
  dial_number: z.string().nullable(),
  channel: oneOf(HELP_LINE_CHANNELS),
  /** WhatsApp, chat or mail URL to open; null for calls. */
  contact_url: z.string().nullable(),
  /** "24/7" only if a source says so; null if no source gives the hours. */
  hours: z.string().nullable(),
  /** Null if no source gives the cost of a call. */
  cost: z.string().nullable(),
  /** Known limits of its use, such as age or region. */
  reach: z.string().nullable(),
  official_url: z.string().nullable(),
  /**
   * Day (YYYY-MM-DD) of the newest source of the line, or of its country. A source with only a month or a year counts as
   * its first day, so that no line looks newer than it is.
   */
  verified_on: z.string(),
});

export type HelpLineView = z.infer<typeof HelpLineView>;

export const HelpLinesView = z.object({
  country: z.string().nullable(),
  first: z.array(HelpLineView),
  emergency: z.array(HelpLineView),
  others: z.array(HelpLineView),
});
export type HelpLinesView = z.infer<typeof HelpLinesView>;

export const safetyOperations = {
  helpLines: operation("GET /help-lines", "Help lines of a country")
    .input(z.strictObject({ country: optional(oneOf(COUNTRIES)) }))
    .output(HelpLinesView),
  allHelpLines: operation("GET /help-lines/all", "Help lines of every country").output(z.array(HelpLinesView)),
};
