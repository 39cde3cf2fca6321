import { Link, useLocation } from "react-router";
import { missedList } from "#app/lib/browser-faults.ts";
import { wordsOf } from "#app/lib/page-words.ts";

/** Says which list did not load, above the list that is shown instead. The toast has announced it already. */
export function MissedList() {
  // Returning to the list that stays is a new place in the history.
  useLocation();
  const missed = missedList();
  return (
    missed && (
      <div className="empty-state empty-state--danger missed-list">
        <p className="empty-state__title">{wordsOf(missed.error).description}</p>
        <Link className="button button--soft button--small" to={missed.address}>
          Reintentar
        </Link>
      </div>
    )
  );
}
