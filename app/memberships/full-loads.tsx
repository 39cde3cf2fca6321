import { useEffect } from "react";

/**
 * Links that leave the plans are whole loads, those of the header too: a document keeps its security policy while the
 * person moves inside it, and the policy of payments is for the payment pages alone.
 */
export function FullLoads() {
  useEffect(() => {
    const leave = (event: MouseEvent) => {
      const link = event.target instanceof Element ? event.target.closest("a") : null;
      // The browser follows the link itself when the router does not hear of the press.
      if (link && link.origin === location.origin && !/^\/planes(\/|$)/.test(link.pathname)) event.stopPropagation();
    };
    window.addEventListener("click", leave, true);
    return () => window.removeEventListener("click", leave, true);
  }, []);
  return null;
}
