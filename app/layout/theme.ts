import { redirect } from "react-router";
import { formFields, getPageContext, refererPath } from "#app/lib/page-request.server.ts";
import { isTheme, THEME_COOKIE, THEME_COOKIE_SECONDS } from "#app/lib/theme.ts";
import { safeRedirect } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/theme.ts";

export const loader = () => redirect("/");

/** Sets the theme cookie without JavaScript. With JavaScript the switch sets it itself. */
export async function action(args: Route.ActionArgs) {
  const { form, cookies } = getPageContext(args);
  const { theme } = formFields(form);
  if (isTheme(theme)) cookies.setPlain(THEME_COOKIE, theme, THEME_COOKIE_SECONDS);
  return redirect(safeRedirect(refererPath(args, /./)));
}
