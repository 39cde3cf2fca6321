import { useEffect } from "react";

/**
 * Turns links that leave the plans, those of the header too, into full page loads: a document keeps its security policy
 * while the router changes pages inside it, and the policy of payments is only for the payment pages.
 */
export function FullLoads() {
  useEffect(() => {
    const leave = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      // Without the router's handler the browser follows the link itself.
      if (link && link.origin === location.origin && !/^\/planes(\/|$)/.test(link.pathname)) event.stopPropagation();
    };
    window.addEventListener("click", leave, true);
    return () => window.removeEventListener("click", leave, true);
  }, []);
  return null;
}
