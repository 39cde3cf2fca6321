import { ExitIcon } from "./icon.tsx";

/** A neutral page, which says nothing about the one that was left. */
const NEUTRAL_PAGE = "https://www.wikipedia.org/";

/** Leaves at once for a page that says nothing, which takes this one's place in the history (specification, section 2.12). */
export function QuickExit() {
  return (
    <a
      className="quick-exit"
      href={NEUTRAL_PAGE}
      rel="noreferrer"
      onClick={(event) => {
        event.preventDefault();
        location.replace(NEUTRAL_PAGE);
      }}
    >
      <ExitIcon size="s" />
      Salida rápida
    </a>
  );
}
