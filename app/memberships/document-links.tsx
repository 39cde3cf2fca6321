import { useEffect } from "react";

/**
 * Makes all links that leave the plans load a full page.
 *
 * The router changes pages without changing the document's CSP, and only payment pages may have the CSP that allows
 * payment scripts.
 */
export function DocumentLinks() {
  useEffect(() => {
    const leave = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      // If the event never reaches the router, the browser follows the link itself.
      if (link && link.origin === location.origin && !/^\/planes(\/|$)/.test(link.pathname)) event.stopPropagation();
    };
    window.addEventListener("click", leave, true);
    return () => window.removeEventListener("click", leave, true);
  }, []);
  return null;
}
