import { Link, useLocation } from "react-router";
import { resolveMessage } from "#app/lib/client-error-messages.ts";
import { missedList } from "#app/lib/network-errors.ts";

/** Says above the old list that another list failed to load. A toast has already announced it. */
export function MissedList() {
  // Re-renders when the history entry changes, for instance after returning to the old list.
  useLocation();
  const missed = missedList();
  return (
    missed && (
      <div className="row row--apart empty-state empty-state--danger missed-list">
        <p className="empty-state__title">{resolveMessage(missed.error).description}</p>
        <Link className="button button--soft button--small" to={missed.address}>
          Reintentar
        </Link>
      </div>
    )
  );
}
