import { useId } from "react";
import { Link } from "react-router";
import { helpPath } from "#app/lib/help-path.ts";
import { FirstCalls, firstCalls } from "./first-calls.tsx";
import type { HelpLineGroupsView } from "./help-line.ts";

/** Call buttons between a consultation and its answers: the first lines and an emergency number. */
export function HelpLinesStrip({ groups, country }: { groups: HelpLineGroupsView; country: string | null }) {
  const headingId = useId();
  if (!country || firstCalls(groups).length === 0) return null;
  return (
    <section className="help-block help-strip" aria-labelledby={headingId}>
      <h2 id={headingId}>Si hoy se hace muy difícil, llama</h2>
      <Link className="icon-link help-strip__more" to={helpPath(country)}>
        Más líneas
      </Link>
      <FirstCalls groups={groups} country={country} />
    </section>
  );
}
