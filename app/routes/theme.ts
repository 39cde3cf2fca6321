import { redirect } from "react-router";
import { fieldsOf, page } from "#app/lib/page-request.server.ts";
import { ownPath } from "#shared/return-path.ts";
import { DAY_SECONDS } from "#shared/time.ts";
import type { Route } from "./+types/theme.ts";

const YEAR_SECONDS = 365 * DAY_SECONDS;

export const loader = () => redirect("/");

/** Remembers light or dark where there is no JavaScript; with it the switch sets the same cookie by itself. */
export async function action(args: Route.ActionArgs) {
  const { theme, return_to } = fieldsOf(args);
  if (theme === "light" || theme === "dark") page(args).cookies.setPlain("theme", theme, YEAR_SECONDS);
  return redirect(ownPath(return_to));
}
