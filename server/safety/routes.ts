import { api } from "../sessions/operations.ts";
import { allHelpLines, helpLinesFor } from "./help-lines.ts";

export const safetyRoutes = api.safety.router({
  helpLines: api.safety.helpLines.handler(({ input: { country = null } }) => ({ country, ...helpLinesFor(country) })),
  allHelpLines: api.safety.allHelpLines.handler(() => allHelpLines()),
});
