import { redirect } from "react-router";
import { forgetCheckMail } from "#app/accounts/registration/check-mail-cookie.server.ts";
import { announce, fieldsOf, load, redirectAndForget } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/sign-out.ts";

export const loader = () => redirect("/");

/**
 * Ends the session of this device, of all others or of all, and clears the browser's site data. A user who wants a
 * professional account is redirected to registration.
 */
export const action = (args: Route.ActionArgs) =>
  load(args, async (here) => {
    const { scope, then, forget } = fieldsOf(args);
    if (scope === "others") {
      await here.api.accounts.signOut({ scope });
      announce(here, "others_signed_out");
      return redirect("/cuenta");
    }
    const forget_device = forget === "device";
    await here.api.accounts.signOut({ scope: scope === "all" ? scope : "this", forget_device });
    forgetCheckMail(here);
    announce(here, scope === "all" ? "all_signed_out" : forget_device ? "signed_out_forgotten" : "signed_out");
    return redirectAndForget(then === "register_psychologist" ? "/auth?modo=registro&tipo=psicologo" : "/");
  });
