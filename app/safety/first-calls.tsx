import { callWords, type HelpLineGroupsView, helpLineKey, hoursAndCost, telHref } from "#app/safety/help-line.ts";
import { Icon } from "#app/ui/icon.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { HelpLinesView, HelpLineView } from "#shared/safety.ts";
import "#app/safety/help-lines.css";
import { useId } from "react";
import { Link } from "react-router";
import { helpPath } from "#app/lib/help-path.ts";

/** Returns the lines to call first. A country may have one number for landlines and one for mobiles, and needs both. */
export const firstCalls = ({ first, emergency }: Pick<HelpLineGroupsView, "first" | "emergency">) =>
  [...first, ...emergency.slice(0, 1)].filter((line) => line.dial_number !== null);

export const FirstCall = ({ line, country }: { line: HelpLineView; country?: string }) => (
  <a className="quick-dial__item" href={telHref(line.dial_number!)}>
    <Icon name="phone" />
    <span className="quick-dial__number">
      <span className="visually-hidden">Llamar al </span>
      <b className="tabular-nums">{line.shown_number}</b>
      <span className="quick-dial__name">
        {callWords(line)}
        {country && <span className="visually-hidden">, {country}</span>}
      </span>
    </span>
  </a>
);

export const CallList = ({ groups }: { groups: HelpLineGroupsView }) => (
  <ul className="quick-dial">
    {firstCalls(groups).map((line) => (
      <li key={helpLineKey(line)}>
        <FirstCall line={line} />
      </li>
    ))}
  </ul>
);

export function HelpLinesStrip({ lines }: { lines: HelpLinesView }) {
  const { country } = lines;
  const headingId = useId();
  const heading = <h2 id={headingId}>Si hoy se hace muy difícil, llama</h2>;
  if (!country)
    return (
      <section className="rows help-block" aria-labelledby={headingId}>
        {heading}
        <p>Elige tu país para ver los números:</p>
        <p className="row">
          {COUNTRIES.map((name) => (
            <Link key={name} className="chip" to={helpPath(name)}>
              {name}
            </Link>
          ))}
        </p>
      </section>
    );
  const notes = lines.first.flatMap((line) => {
    const facts = [hoursAndCost(line), line.reach].filter(Boolean);
    return facts.length ? [line.name.replace(/, desde .*/, ""), ...facts].join(". ") : [];
  });
  return (
    <section className="rows help-block help-strip" aria-labelledby={headingId}>
      {heading}
      <Link className="icon-link help-strip__more" to={helpPath(country)}>
        Más líneas
      </Link>
      <CallList groups={lines} />
      <p className="text-muted quick-dial__notes">
        {[...new Set(notes)].map((note) => `${note}. `)}
        Son líneas de {country}: atienden personas, no {PRODUCT_NAME}.
      </p>
    </section>
  );
}
