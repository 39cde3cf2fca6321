import { useState } from "react";
import { data } from "react-router";
import { ConsentsPanel } from "#app/accounts/consents/consents-panel.tsx";
import { CurrentPasswordField } from "#app/components/account-fields.tsx";
import { FormError, useForm } from "#app/components/action-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { type DisplayError, type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullIfDeleted, runLoader, withMessage } from "#app/lib/page-request.server.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import type { Consent } from "#shared/consents.ts";
import { ERRORS, type ErrorCode } from "#shared/errors.ts";
import type { Route } from "./+types/account.ts";
import { SessionsPanel } from "./sessions-panel.tsx";
import { SignInPanel } from "./sign-in-panel.tsx";
import { SignedOutPage } from "./signed-out-page.tsx";

export const handle: FailureHandle = { failed: { "*": failure("No se pudieron guardar los cambios") } };

export const meta: Route.MetaFunction = () => pageMeta("Cuenta y seguridad");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, viewer, showsMails }) => {
    const me = viewer();
    if (!me) return data(null, { status: 401 });
    const account = await api.accounts.account({});
    const dataRefused = exportError(args.url.searchParams.get("datos"));
    return { account, userType: me.user_type, dataRefused, showsMails };
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

export const action = formAction({
  async end_session(ctx) {
    await nullIfDeleted(ctx, ctx.api.accounts.endSession({ id: ctx.fields.session ?? "" }));
    return ctx.leave("/cuenta", "session_ended");
  },
  async password({ api, input, confirmed, leave }) {
    await confirmed(() => api.accounts.changePassword(input("password", "confirm_password")));
    return leave("/cuenta", "password_changed_here");
  },
  async email({ api, input, confirmed, leave }) {
    await confirmed(() => api.accounts.changeEmail(input("email")));
    return leave("/cuenta", "mail_on_its_way");
  },
  async email_again(ctx) {
    const sent = await nullIfDeleted(ctx, ctx.api.accounts.resendEmailChange({}));
    return ctx.leave("/cuenta", sent === null ? "email_change_over" : "mail_on_its_way");
  },
  async email_cancel(ctx) {
    const cancelled = await nullIfDeleted(ctx, ctx.api.accounts.cancelEmailChange({}));
    return ctx.leave("/cuenta", cancelled === null ? "email_change_over" : "email_kept");
  },
  async consent({ api, fields, leave }) {
    const given = isChecked(fields.given);
    await api.accounts.setConsent({ kind: fields.kind as Consent, given });
    return leave("/cuenta", given ? "consent_given" : "consent_withdrawn");
  },
});

/** Intents whose forms show their own errors. */
const WITH_OWN_ERROR = ["email", "email_again", "password"];

/** Account page: sign-in settings and sessions (specification, section 2, "Account"). */
export default function Account({ loaderData, actionData }: Route.ComponentProps) {
  const form = useForm(actionData);
  // The response of a successful export is a file, so the page and its error would stay.
  const [exportSent, setExportSent] = useState(false);
  if (!loaderData)
    return <SignedOutPage title="Cuenta y seguridad" subject="tu cuenta" path="/cuenta" illustration="padlock" />;
  const { account, userType, showsMails } = loaderData;
  const error = exportSent ? null : loaderData.dataRefused;
  const exporting = { error, errors: error?.fields ?? {} };
  return (
    <CenteredPage title="Cuenta y seguridad" illustration="padlock" wide>
      <div className="stack">
        {actionData && !WITH_OWN_ERROR.includes(actionData.intent) && <FormError form={form} />}
        <SignInPanel account={account} response={actionData} showsMails={showsMails} />
        <SessionsPanel sessions={account.sessions} />
        <ConsentsPanel consents={account.consents} userType={userType} />
        <Panel id="datos" title="Tus datos">
          <p className="text-muted panel__lead">
            Descarga un archivo con todo lo que guardamos sobre ti: lo que has escrito, tus votos, reseñas, permisos y
            sesiones. Incluye tus consultas anónimas: guárdalo donde nadie más lo lea.
          </p>
          {/* Not a form of the router, because its response is a file. */}
          <form method="post" action="/cuenta/datos" className="stack stack--form" onSubmit={() => setExportSent(true)}>
            <FormError form={exporting} />
            <CurrentPasswordField id="data-password" asks={account.reauthenticated_until === null} form={exporting} />
            <Button type="submit" variant="soft" icon={<Icon name="download" size="s" />}>
              Descargar mis datos
            </Button>
          </form>
          <h3 className="title-s panel__heading">Eliminar la cuenta</h3>
          <p className="text-muted panel__note">Antes te contamos qué se borra, qué queda y por qué.</p>
          <p className="above-3">
            <ButtonLink to="/cuenta/eliminar" variant="danger" small>
              Eliminar mi cuenta
            </ButtonLink>
          </p>
        </Panel>
      </div>
    </CenteredPage>
  );
}
