import { redirect } from "react-router";
import { fieldsOf, page } from "#app/lib/page-request.server.ts";
import { isTheme, THEME_COOKIE, THEME_COOKIE_SECONDS } from "#app/lib/theme.ts";
import { ownPath } from "#shared/return-path.ts";
import type { Route } from "./+types/theme.ts";

export const loader = () => redirect("/");

/** The page with the form, or the start if the browser did not name one of ours. */
function refererPath(args: Route.ActionArgs): string {
  const referer = URL.parse(args.request.headers.get("referer") ?? "");
  return referer?.origin === page(args).publicUrl ? ownPath(referer.pathname + referer.search) : "/";
}

/** Remembers light or dark where there is no JavaScript; with it the switch sets the same cookie by itself. */
export async function action(args: Route.ActionArgs) {
  const { theme } = fieldsOf(args);
  if (isTheme(theme)) page(args).cookies.setPlain(THEME_COOKIE, theme, THEME_COOKIE_SECONDS);
  return redirect(refererPath(args));
}
