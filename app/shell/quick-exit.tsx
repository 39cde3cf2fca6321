import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { isSensitive } from "#app/lib/sensitive.ts";
import { ExitIcon } from "#app/ui/icon.tsx";

/** A page that says nothing about whoever left this one. */
const NEUTRAL_PAGE = "https://www.wikipedia.org/";

/** Whether the page one is on offers the quick exit; while it does, moving on to another such page leaves no trace of this one. */
export function useSensitivePage(): boolean {
  const sensitive = isSensitive(useLocation().pathname);
  const navigate = useNavigate();
  useEffect(() => {
    if (!sensitive) return;
    // Before the links themselves hear of it. It holds for every link of the page, whoever adds one, but those that open a dialog here.
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const elsewhere = event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey || event.altKey;
      if (!link || elsewhere || link.target === "_blank" || link.origin !== location.origin) return;
      if (!isSensitive(link.pathname) || link.hasAttribute("aria-haspopup")) return;
      event.preventDefault();
      const here = link.pathname === location.pathname && link.search === location.search;
      // The browser itself goes to a place of this page: it takes the focus along.
      if (here && link.hash) location.replace(link.href);
      else void navigate(link.pathname + link.search + link.hash, { replace: true });
    };
    window.addEventListener("click", follow, true);
    return () => window.removeEventListener("click", follow, true);
  }, [sensitive, navigate]);
  return sensitive;
}

/** Leaves at once for a page that says nothing, which takes this one's place in the history (specification, section 2.12). */
export function QuickExit() {
  return (
    <a
      className="exit"
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
