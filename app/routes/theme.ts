import { redirect } from "react-router";
import { fieldsOf, page } from "#app/lib/page-request.server.ts";
import { isTheme, THEME_COOKIE, THEME_COOKIE_SECONDS } from "#app/lib/theme.ts";
import { ownPath } from "#shared/return-path.ts";
import type { Route } from "./+types/theme.ts";

export const loader = () => redirect("/");

/** Remembers light or dark where there is no JavaScript; with it the switch sets the same cookie by itself. */
export async function action(args: Route.ActionArgs) {
  const { theme, return_to } = fieldsOf(args);
  if (isTheme(theme)) page(args).cookies.setPlain(THEME_COOKIE, theme, THEME_COOKIE_SECONDS);
  return redirect(ownPath(return_to));
}
