import { useContext, useEffect } from "react";
import { matchRoutes, UNSAFE_FrameworkContext, useLocation } from "react-router";
import { dataRouter } from "./data-router.ts";

/** Prefetches the code of form actions: if it fails on submit, the router reloads the page and drops the typed text. */
export function usePreloadFormRoutes(): void {
  const framework = useContext(UNSAFE_FrameworkContext);
  const { key } = useLocation();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another page has other forms
  useEffect(() => {
    // Not `form.method`: a field named "method" would shadow the property.
    const prepare = (form: HTMLFormElement) => {
      if (form.getAttribute("method") !== "post") return;
      const { pathname } = new URL(form.getAttribute("action") ?? "", location.href);
      const match = matchRoutes(dataRouter().routes, pathname)?.at(-1);
      const route = match && framework?.manifest.routes[match.route.id];
      if (!route || framework.routeModules[route.id]) return;
      for (const code of [route.module, route.clientActionModule])
        if (code) import(/* @vite-ignore */ code).catch(() => {});
    };
    for (const form of document.forms) prepare(form);
    // Dialogs add their forms later.
    const enter = ({ target }: FocusEvent) => {
      const form = target instanceof Element && target.closest("form");
      if (form) prepare(form);
    };
    document.addEventListener("focusin", enter);
    return () => document.removeEventListener("focusin", enter);
  }, [key, framework]);
}
