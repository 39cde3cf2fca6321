import { useEffect } from "react";
import { useLocation, useNavigate } from "react-router";
import { isModifiedClick } from "#app/lib/modified-click.ts";
import { offersQuickExit } from "#app/lib/quick-exit-pages.ts";

/** Whether the page one is on offers the quick exit; while it does, moving on to another such page leaves no trace of this one. */
export function useQuickExit(): boolean {
  const offered = offersQuickExit(useLocation().pathname);
  const navigate = useNavigate();
  useEffect(() => {
    if (!offered) return;
    // Before the links themselves hear of it. It holds for every link of the page, but not for those that act in the page
    // itself: what opens a dialog says `aria-haspopup`, what adds to a list `data-in-page`.
    const follow = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      const elsewhere = event.button !== 0 || isModifiedClick(event);
      if (!link || elsewhere || link.target === "_blank" || link.origin !== location.origin) return;
      if (!offersQuickExit(link.pathname) || link.hasAttribute("aria-haspopup") || link.hasAttribute("data-in-page"))
        return;
      event.preventDefault();
      const here = link.pathname === location.pathname && link.search === location.search;
      // The browser itself goes to a place of this page: it takes the focus along.
      if (here && link.hash) location.replace(link.href);
      else void navigate(link.pathname + link.search + link.hash, { replace: true });
    };
    window.addEventListener("click", follow, true);
    return () => window.removeEventListener("click", follow, true);
  }, [offered, navigate]);
  return offered;
}
