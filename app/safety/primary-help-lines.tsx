import { Link } from "react-router";
import { helpPath } from "#app/lib/help-path.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { FirstCall, firstCalls } from "./first-calls.tsx";
import { availabilityNote, helpLineKey, hoursAndCost } from "./help-line.ts";
import "./help-lines.css";

/**
 * Lists all countries with call buttons for their first lines and emergency number. The country name links to all its
 * lines.
 * @param countries countries of the list; the fallback without a number has no row
 */
export function PrimaryHelpLinesByCountry({ countries }: { countries: readonly HelpLinesView[] }) {
  return (
    <ul className="primary-help-lines">
      {countries.map(({ country, ...groups }) => {
        const notes = groups.first.map(availabilityNote).filter((note) => note !== null);
        return (
          country && (
            <li key={country}>
              <Link to={helpPath(country)} className="primary-help-lines__country">
                <b>{country}</b>
                {groups.first.slice(0, 1).map((line) => (
                  <span key={helpLineKey(line)}>{hoursAndCost(line)}</span>
                ))}
              </Link>
              <div className="primary-help-lines__calls">
                {firstCalls(groups).map((line) => (
                  <FirstCall key={helpLineKey(line)} line={line} country={country} />
                ))}
              </div>
              {notes.map((note) => (
                <p key={note} className="primary-help-lines__note">
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
