import { redirect } from "react-router";
import { clearCheckMailCookie } from "#app/accounts/registration/check-mail-cookie.server.ts";
import { ErrorPage } from "#app/layout/error-page.tsx";
import { formFields, redirectClearingSiteData, runLoader, setFlash } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/sign-out.ts";

export const loader = () => redirect("/");

/** Also clears the browser's site data. A user who wants a professional account is redirected to registration. */
export const action = (args: Route.ActionArgs) =>
  runLoader(args, async (ctx) => {
    const { scope, after_sign_out, forget } = formFields(ctx.form);
    if (scope === "others") {
      await ctx.api.accounts.signOut({ scope });
      setFlash(ctx, "others_signed_out");
      return redirect("/cuenta");
    }
    const forget_device = forget === "device";
    await ctx.api.accounts.signOut({ scope: scope === "all" ? scope : "this", forget_device });
    clearCheckMailCookie(ctx);
    setFlash(ctx, scope === "all" ? "all_signed_out" : forget_device ? "signed_out_forgotten" : "signed_out");
    return redirectClearingSiteData(
      after_sign_out === "register_psychologist" ? "/auth?modo=registro&tipo=psicologo" : "/",
    );
  });

export const ErrorBoundary = ErrorPage;
