import { announce, load, redirect } from "#app/lib/api.server.ts";
import type { Route } from "./+types/sign-out.ts";

export const loader = () => redirect("/");

/** Ends the session of this device and lets the browser forget what it kept of our pages. */
export const action = (args: Route.ActionArgs) =>
  load(args, async (here) => {
    await here.api.accounts.signOut({ scope: "this" });
    here.cookies.clear("check_mail");
    announce(here, "signed_out");
    return redirect("/", { headers: { "Clear-Site-Data": '"cache", "storage"' } });
  });
