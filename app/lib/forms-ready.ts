import { useContext, useEffect } from "react";
import { matchRoutes, UNSAFE_DataRouterContext, UNSAFE_FrameworkContext, useLocation } from "react-router";

/**
 * Fetches the code behind each form of the page while the network works. The router asks for it when a form is sent, and
 * where it cannot be fetched it loads the whole page again, with all that was typed.
 */
export function useFormsReady(): void {
  const router = useContext(UNSAFE_DataRouterContext)?.router;
  const framework = useContext(UNSAFE_FrameworkContext);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new place has other forms
  useEffect(() => {
    // Attributes: a form's property may be a field of that name.
    const prepare = (form: HTMLFormElement) => {
      if (form.getAttribute("method") !== "post" || !router) return;
      const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
      const match = matchRoutes(router.routes, pathname)?.at(-1);
      const route = match && framework?.manifest.routes[match.route.id];
      if (route && !framework.routeModules[route.id]) import(/* @vite-ignore */ route.module).catch(() => {});
    };
    for (const form of document.forms) prepare(form);
    // Forms of dialogs come later.
    const enter = ({ target }: FocusEvent) => {
      const form = target instanceof Element && target.closest("form");
      if (form) prepare(form);
    };
    document.addEventListener("focusin", enter);
    return () => document.removeEventListener("focusin", enter);
  }, [key, router, framework]);
}
