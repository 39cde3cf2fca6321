import { useId } from "react";
import { Link } from "react-router";
import { helpAddress } from "#app/lib/help-address.ts";
import { PhoneIcon } from "#app/ui/more-icons.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import { type HelpLineGroupsView, keyOf, mayNotAnswer, telephone } from "./help-line.ts";
import "./help-lines.css";

const ALWAYS = "24/7";

/** The lines to call first, and one for emergencies: between a consultation and its answers, so that they need not be looked for. */
export function HelpLinesStrip({ groups, country }: { groups: HelpLineGroupsView; country: string | null }) {
  const headingId = useId();
  // A country can have a number for fixed telephones and another one for mobiles: both are needed.
  const lines = [...groups.first, ...groups.emergency.slice(0, 1)].filter((line) => line.dial_number !== null);
  if (!country || lines.length === 0) return null;
  return (
    <section className="lifeline help-strip" aria-labelledby={headingId}>
      <h2 id={headingId}>Si hoy se hace muy difícil, llama</h2>
      <p className="help-strip__whose">
        Son líneas de {country}.<span className="help-strip__rest"> Atienden personas, no {PRODUCT_NAME}.</span>
      </p>
      <ul className="first-calls">
        {lines.map((line) => (
          <li key={keyOf(line)}>
            <a className="first-call" href={telephone(line.dial_number!)}>
              <PhoneIcon />
              <span className="first-call__to">
                <span className="visually-hidden">Llamar al </span>
                <b className="digits">{line.shown_number}</b>
                <span className="first-call__who">
                  {line.name}
                  {/* Also where there is little room, hours in which no one answers are shown. */}
                  {line.hours !== null && (
                    <span className={line.hours === ALWAYS ? "help-strip__rest" : undefined}>{`. ${line.hours}`}</span>
                  )}
                  <span className="help-strip__rest">{line.cost !== null && `. ${line.cost}`}</span>
                  {line.reach !== null && (
                    <span className={mayNotAnswer(line) ? undefined : "help-strip__rest"}>{`. ${line.reach}`}</span>
                  )}
                </span>
              </span>
            </a>
          </li>
        ))}
      </ul>
      <Link className="icon-link help-strip__more" to={helpAddress(country)}>
        Más líneas
      </Link>
    </section>
  );
}
