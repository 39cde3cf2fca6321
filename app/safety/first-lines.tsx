import { Link } from "react-router";
import { helpAddress } from "#app/lib/help-address.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { FirstCall, firstCalls } from "./first-calls.tsx";
import { keyOf, mayNotAnswer, whenAndFor } from "./help-line.ts";
import "./help-lines.css";

/**
 * Lists all countries with call buttons for their first lines and emergency number. The country name links to all its
 * lines.
 * @param countries countries of the list; the fallback without a number has no row
 */
export function FirstLinesByCountry({ countries }: { countries: readonly HelpLinesView[] }) {
  return (
    <ul className="first-lines">
      {countries.map(({ country, ...groups }) => {
        const notes = groups.first.map(mayNotAnswer).filter((note) => note !== null);
        return (
          country && (
            <li key={country}>
              <Link to={helpAddress(country)} className="first-lines__country">
                <b>{country}</b>
                {groups.first.slice(0, 1).map((line) => (
                  <span key={keyOf(line)}>{whenAndFor(line)}</span>
                ))}
              </Link>
              <div className="first-lines__calls">
                {firstCalls(groups).map((line) => (
                  <FirstCall key={keyOf(line)} line={line} country={country} />
                ))}
              </div>
              {notes.map((note) => (
                <p key={note} className="first-lines__note">
                  {note}.
                </p>
              ))}
            </li>
          )
        );
      })}
    </ul>
  );
}
