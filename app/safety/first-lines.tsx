import { Link } from "react-router";
import { helpAddress } from "#app/lib/help-address.ts";
import { PhoneIcon } from "#app/ui/more-icons.tsx";
import type { HelpLinesView } from "#shared/safety.ts";
import { keyOf, mayNotAnswer, telephone, whenAndFor } from "./help-line.ts";
import "./help-lines.css";

/**
 * Every country with the numbers of its first lines, to call at once; the country leads to all its lines.
 * @param countries those of the list; a fallback without a number has no row
 */
export function FirstLinesByCountry({ countries }: { countries: readonly HelpLinesView[] }) {
  return (
    <ul className="first-lines">
      {countries.flatMap(({ country, first }) =>
        first.map(
          (line) =>
            country &&
            line.dial_number !== null && (
              <li key={keyOf(line)}>
                <Link to={helpAddress(country)} className="first-lines__country">
                  <b>{country}</b>
                  {/* Of two lines one says from which telephone it is reached. */}
                  {first.length > 1 && <span>{line.name}</span>}
                  <span>{whenAndFor(line)}</span>
                </Link>
                <a className="first-lines__call" href={telephone(line.dial_number)}>
                  <PhoneIcon />
                  <b className="digits">{line.shown_number}</b>
                  <span>
                    Llamar
                    <span className="visually-hidden">
                      {" "}
                      a {line.name}, {country}
                    </span>
                  </span>
                </a>
                {mayNotAnswer(line) && <p className="first-lines__note">{mayNotAnswer(line)}.</p>}
              </li>
            ),
        ),
      )}
    </ul>
  );
}
