import { redirect } from "react-router";
import { formFields } from "#app/lib/form-action.server.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { isTheme, THEME_COOKIE, THEME_COOKIE_SECONDS } from "#app/lib/theme.ts";
import { safeRedirect } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/theme.ts";

export const loader = () => redirect("/");

/** Returns the path of the page with the form, or "/" if the Referer header is missing or external. */
function refererPath(args: Route.ActionArgs): string {
  const referer = URL.parse(args.request.headers.get("referer") ?? "");
  return referer?.origin === getPageContext(args).publicUrl ? safeRedirect(referer.pathname + referer.search) : "/";
}

/** Sets the theme cookie without JavaScript. With JavaScript the switch sets it itself. */
export async function action(args: Route.ActionArgs) {
  const { form, cookies } = getPageContext(args);
  const { theme } = formFields(form);
  if (isTheme(theme)) cookies.setPlain(THEME_COOKIE, theme, THEME_COOKIE_SECONDS);
  return redirect(refererPath(args));
}
