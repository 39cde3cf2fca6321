import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { helpAddress, useHelpAddress } from "#app/lib/help-address.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { CallList, firstCalls } from "./first-calls.tsx";
import { mayNotAnswer } from "./help-line.ts";

/** Help lines of a country; null until they are loaded, and if they cannot be. */
function useHelpLines(country: string): HelpLinesView | null {
  const [lines, setLines] = useState<HelpLinesView | null>(null);
  useEffect(() => {
    if (!country) return;
    const stop = new AbortController();
    fetch(`/api/help-lines?${new URLSearchParams({ country })}`, { signal: stop.signal })
      .then((answer) => (answer.ok ? answer.json() : null))
      .then(setLines, () => {});
    return () => stop.abort();
  }, [country]);
  return lines?.country === country ? lines : null;
}

/**
 * Help beside a text that someone is writing: the numbers of the chosen country, else the way to those of all countries.
 * @param country the chosen country, empty if none is chosen
 * @param children words before it
 */
export function HelpWhileWriting({ country, children }: { country: string; children?: ReactNode }) {
  const help = useHelpAddress();
  const lines = useHelpLines(country);
  const to = country ? helpAddress(country) : help;
  if (!lines || firstCalls(lines).length === 0)
    return (
      <p className="soft">
        {children}¿Hay peligro ahora? <Link to={to}>Necesito ayuda ahora</Link>.
      </p>
    );
  return (
    <div className="writing-help">
      <p className="soft">{children}Si hay peligro ahora, llama:</p>
      <CallList groups={lines} />
      <p className="first-calls__notes">
        {lines.first.map((line) => mayNotAnswer(line) && `${mayNotAnswer(line)}. `)}
        <Link to={to}>Más líneas de {country}</Link>
      </p>
    </div>
  );
}
