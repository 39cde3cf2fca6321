import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { tellOffline } from "#app/lib/browser-faults.ts";
import { isModifiedClick } from "#app/lib/modified-click.ts";
import { offersQuickExit } from "#app/lib/quick-exit-pages.ts";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";

/** @returns the pressed link if it leads to a page of ours in this tab; otherwise null */
function ownLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const elsewhere = event.button !== 0 || isModifiedClick(event) || link?.target === "_blank";
  return elsewhere || link?.origin !== location.origin ? null : link;
}

/**
 * True if the page offers the quick exit. The help page leaves no entry in the history when a link leads to another page.
 * Without a network such a link stays on its page: the router would reload the page to get the code of the other one.
 */
export function useQuickExit(): boolean {
  const { pathname } = useLocation();
  const next = useSlowNavigation();
  const navigate = useNavigate();
  useEffect(() => {
    // It runs before the handlers of the links.
    const follow = (event: MouseEvent) => {
      const link = ownLink(event);
      if (!link) return;
      const { pathname, search } = location;
      if (link.pathname !== pathname && !link.hasAttribute("aria-haspopup") && tellOffline()) event.preventDefault();
      if (pathname !== "/ayuda" || event.defaultPrevented) return;
      event.preventDefault();
      const here = link.pathname === pathname && link.search === search;
      // The browser itself moves within the page, because it takes the focus along.
      if (here && link.hash) location.replace(link.href);
      else void navigate(link.pathname + link.search + link.hash, { replace: true });
    };
    window.addEventListener("click", follow, true);
    return () => window.removeEventListener("click", follow, true);
  }, [navigate]);
  return offersQuickExit(next?.pathname ?? pathname);
}
