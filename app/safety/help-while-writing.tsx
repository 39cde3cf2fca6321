import type { ReactNode } from "react";
import { Link } from "react-router";
import { useFetched } from "#app/lib/fetched.ts";
import { helpPath, useHelpPath } from "#app/lib/help-path.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { CallList, firstCalls } from "./first-calls.tsx";
import { availabilityNote } from "./help-line.ts";

/** Numbers of the selected country, or the link to all help lines. @param country empty if none is selected */
export function HelpWhileWriting({ country, children }: { country: string; children?: ReactNode }) {
  const help = useHelpPath();
  const lines = useFetched<HelpLinesView>(country && `/api/help-lines?${new URLSearchParams({ country })}`);
  const to = country ? helpPath(country) : help;
  if (lines?.country !== country || firstCalls(lines).length === 0)
    return (
      <p className="text-muted">
        {children}¿Hay peligro ahora? <Link to={to}>Necesito ayuda ahora</Link>.
      </p>
    );
  return (
    <div className="writing-help">
      <p className="text-muted">{children}Si hay peligro ahora, llama:</p>
      <CallList groups={lines} />
      <p className="text-muted quick-dial__notes">
        {lines.first.map((line) => availabilityNote(line) && `${availabilityNote(line)}. `)}
        <Link to={to}>Más líneas de {country}</Link>
      </p>
    </div>
  );
}
