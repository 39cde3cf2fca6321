import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { isModifiedClick } from "#app/lib/modified-click.ts";
import { HELP_PATH, openStoredHelp, tellOffline } from "#app/lib/network-errors.ts";
import { offersQuickExit } from "#app/lib/pages-with-quick-exit.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";

function ownLink(event: MouseEvent): HTMLAnchorElement | null {
  const link = event.target instanceof Element ? event.target.closest("a") : null;
  const elsewhere = event.button !== 0 || isModifiedClick(event) || link?.target === "_blank";
  return elsewhere || link?.origin !== location.origin ? null : link;
}

/** Opens the help lines. Ignores other links, because the router would reload the whole page to fetch their code. */
async function followOffline({ pathname, href }: HTMLAnchorElement): Promise<void> {
  if (pathname !== HELP_PATH || !(await openStoredHelp(href))) tellOffline();
}

/** Links on the help page add no history entry. */
export function useQuickExit(): boolean {
  const { pathname } = useLocation();
  const next = useDelayedNavigation();
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent) => {
      const link = ownLink(event);
      if (!link) return;
      const { pathname, search } = location;
      if (!navigator.onLine && link.pathname !== pathname && !link.hasAttribute("aria-haspopup")) {
        event.preventDefault();
        void followOffline(link);
      }
      if (pathname !== HELP_PATH || event.defaultPrevented) return;
      event.preventDefault();
      const isSamePage = link.pathname === pathname && link.search === search;
      // The browser scrolls to the anchor itself, because it also moves the focus.
      if (isSamePage && link.hash) location.replace(link.href);
      else void navigate(link.pathname + link.search + link.hash, { replace: true });
    };
    window.addEventListener("click", follow, true);
    return () => window.removeEventListener("click", follow, true);
  }, [navigate]);
  return offersQuickExit(next?.pathname ?? pathname);
}
