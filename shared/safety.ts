import { z } from "zod";
import { COUNTRIES } from "./countries.ts";
import { emptyInput, operation } from "./operation.ts";
import { oneOf, optional } from "./text.ts";

const HelpLinesInput = z.strictObject({ country: optional(oneOf(COUNTRIES)) });

export const HELP_LINE_KINDS = ["crisis", "emergency", "violence", "children", "support"] as const;
export type HelpLineKind = (typeof HELP_LINE_KINDS)[number];
export const HELP_LINE_CHANNELS = ["phone", "whatsapp", "chat", "mail"] as const;
export type HelpLineChannel = (typeof HELP_LINE_CHANNELS)[number];

const HelpLineView = z.object({
  country: z.string().nullable(),
  name: z.string(),
  kind: oneOf(HELP_LINE_KINDS),
  shown_number: z.string().nullable(),
  dial_number: z.string().nullable(),
  channel: oneOf(HELP_LINE_CHANNELS),
  contact_url: z.string().nullable(),
  hours: z.string().nullable(),
  cost: z.string().nullable(),
  reach: z.string().nullable(),
  official_url: z.string().nullable(),
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
  helpLines: operation("GET /help-lines", "Help lines of a country").input(HelpLinesInput).output(HelpLinesView),
  allHelpLines: operation("GET /help-lines/all", "Help lines of every country")
    .input(emptyInput)
    .output(z.array(HelpLinesView)),
};
