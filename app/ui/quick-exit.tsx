import { Icon } from "./icon.tsx";

const NEUTRAL_PAGE = "https://www.wikipedia.org/";

/** Opens a neutral page and replaces the history entry (specification, section 2.12). */
export const QuickExit = () => (
  <a
    className="small quick-exit"
    href={NEUTRAL_PAGE}
    rel="noreferrer"
    onClick={(event) => {
      event.preventDefault();
      location.replace(NEUTRAL_PAGE);
    }}
  >
    <Icon name="exit" size="s" />
    Salida rápida
  </a>
);
