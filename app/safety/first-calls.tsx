import { type ReactNode, useId } from "react";
import { Link } from "react-router";
import { useFetched } from "#app/lib/fetched.ts";
import { helpPath, useHelpPath } from "#app/lib/help-path.ts";
import { Icon } from "#app/ui/icon.tsx";
import { COUNTRIES } from "#shared/countries.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { HelpLinesView, HelpLineView } from "#shared/safety.ts";
import "./help-lines.css";

export type HelpLineGroupsView = Omit<HelpLinesView, "country">;

/** Where or when a line may not answer. "Desde ..." only names the phones. @returns null if it always does */
export const availabilityNote = ({ reach }: HelpLineView): string | null =>
  reach?.startsWith("Desde ") ? null : reach;

export const hoursAndCost = ({ hours, cost }: HelpLineView) =>
  [hours, hours ? cost?.toLocaleLowerCase("es") : cost].filter(Boolean).join(", ");

const callWords = ({ name, kind, hours }: HelpLineView): string => {
  const [, telephones] = /, (desde .*)/.exec(name) ?? [];
  if (telephones) return telephones.replace("d", "D");
  if (kind === "emergency") return name.replace(/ \(.*/, "");
  return hours === "24/7" ? "Para hablar, 24/7" : "Para hablar";
};

/** Returns the `tel:` URL of a number. "#" must be encoded, because it would start the fragment. "*" stays. */
export const telHref = (number: string) => `tel:${encodeURIComponent(number)}`;

export const helpLineKey = ({ country, name, shown_number }: HelpLineView) => `${country} ${name} ${shown_number}`;

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

const CallList = ({ groups }: { groups: HelpLineGroupsView }) => (
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
