import { data, redirect } from "react-router";
import { ConsentsPanel } from "#app/accounts/consents/consents-panel.tsx";
import { SessionsPanel } from "#app/accounts/sessions-panel.tsx";
import { SignInPanel } from "#app/accounts/sign-in-panel.tsx";
import { SignedOutPage } from "#app/accounts/signed-out-page.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formErrorResponse,
  formFields,
  runAction,
  runLoader,
  setFlash,
  withMessage,
  withReauthentication,
} from "#app/lib/page-request.server.ts";
import { OwnDataPanel } from "#app/own-data/own-data-panel.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { PadlockIllustration } from "#app/ui/page-illustrations.tsx";
import type { Consent } from "#shared/consents.ts";
import { AppError, ERRORS, type ErrorCode } from "#shared/errors.ts";
import type { Route } from "./+types/account.ts";

export const meta: Route.MetaFunction = () => pageMeta("Cuenta y seguridad");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer, now, showsMails }) => {
    const me = viewer();
    if (!me) return data({ view: "signed_out" as const }, { status: 401 });
    const account = await api.accounts.account({});
    const dataRefused = exportError(args.url.searchParams.get("datos"));
    return data({
      view: "account" as const,
      account,
      userType: me.user_type,
      dataRefused,
      now: now.toISOString(),
      showsMails,
    });
  });

/**
 * Reads the error of a failed export from the URL. The export form responds with a file, so its action can only
 * redirect.
 */
function exportError(told: string | null): DisplayError | null {
  if (told === "contrasena")
    return withMessage({ code: "invalid_input", fields: { current_password: "Esa no es tu contraseña." } });
  return told && Object.hasOwn(ERRORS, told) ? withMessage({ code: told as ErrorCode }) : null;
}

export async function action(args: Route.ActionArgs) {
  const { intent = "", current_password, ...typed } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    const { accounts } = ctx.api;
    const { email = "", password = "", confirm_password = "", session = "" } = typed;
    const confirmed = <Result,>(change: () => Promise<Result>) => withReauthentication(ctx, current_password, change);
    switch (intent) {
      case "end_session":
        await accounts.endSession({ id: session });
        setFlash(ctx, "session_ended");
        break;
      case "password":
        await confirmed(() => accounts.changePassword({ password, confirm_password }));
        setFlash(ctx, "password_changed_here");
        break;
      case "email":
        await confirmed(() => accounts.changeEmail({ email }));
        setFlash(ctx, "mail_on_its_way");
        break;
      case "email_again":
        await accounts.resendEmailChange({});
        setFlash(ctx, "mail_on_its_way");
        break;
      case "consent": {
        const given = isChecked(typed.given);
        await accounts.setConsent({ kind: typed.kind as Consent, given });
        setFlash(ctx, given ? "consent_given" : "consent_withdrawn");
        break;
      }
      case "email_cancel":
        await accounts.cancelEmailChange({});
        setFlash(ctx, "email_kept");
        break;
      default:
        throw new AppError("malformed_request");
    }
    throw redirect("/cuenta");
  });
  const { password: _, confirm_password: __, ...shown } = typed;
  return formErrorResponse(args, result, { intent, typed: shown });
}

/** Account page: sign-in settings and sessions (specification, section 2, "Account"). */
export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  if (loaderData.view === "signed_out")
    return (
      <SignedOutPage
        title="Cuenta y seguridad"
        subject="tu cuenta"
        path="/cuenta"
        illustration={<PadlockIllustration />}
      />
    );
  const { account, userType, dataRefused, now, showsMails } = loaderData;
  return (
    <CenteredPage title="Cuenta y seguridad" illustration={<PadlockIllustration />} wide>
      <div className="stack">
        <SignInPanel account={account} submitError={actionData ?? null} now={now} showsMails={showsMails} />
        <SessionsPanel sessions={account.sessions} now={now} />
        <ConsentsPanel consents={account.consents} userType={userType} />
        <OwnDataPanel asksPassword={account.reauthenticated_until === null} actionError={dataRefused} />
      </div>
    </CenteredPage>
  );
}
