import { useState } from "react";
import { data } from "react-router";
import { SignOutForm } from "#app/accounts/sign-in/sign-out-form.tsx";
import { CurrentPasswordField } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { type DisplayError, type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatDate } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { nullIfDeleted, runLoader, withMessage } from "#app/lib/page-request.server.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AccountView } from "#shared/accounts.ts";
import { CONSENTS, CONSENTS_OF, type Consent } from "#shared/consents.ts";
import { ERRORS, type ErrorCode } from "#shared/errors.ts";
import { LIMITS } from "#shared/limits.ts";
import type { OwnSessionView } from "#shared/sign-in.ts";
import type { UserType } from "#shared/user-types.ts";
import type { Route } from "./+types/account.ts";
import { SignInPanel } from "./sign-in-panel.tsx";
import "./account.css";
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

/** The export form responds with a file, so its action can only redirect with an error in the URL. */
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

const WITH_OWN_ERROR = ["email", "email_again", "password"];

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

function SessionsPanel({ sessions }: { sessions: OwnSessionView[] }) {
  const hasOthers = sessions.some((session) => !session.current);
  return (
    <Panel id="sesiones" title="Dispositivos conectados">
      <p className="text-muted panel__lead">
        Si hay un dispositivo que no es tuyo, cierra su sesión y después cambia la contraseña.
      </p>
      <ul className="account-list">
        {sessions.map(({ id, device, seen_at, current }) => (
          <li key={id}>
            <Icon
              name={/\b(Android|iPhone|iPad)$/.test(device ?? "") ? "smartphone" : "monitor"}
              className="text-muted"
            />
            <p>
              <b>{device ?? "Dispositivo desconocido"}</b>
              {current ? (
                <Badge tone="ok">Este dispositivo</Badge>
              ) : (
                <span className="hint">
                  Usado <RelativeTime datetime={seen_at} />
                </span>
              )}
            </p>
            {current ? (
              <SignOutForm fields={{ scope: "this" }}>
                <Button type="submit" variant="quiet" small aria-label="Cerrar sesión aquí">
                  Cerrar
                </Button>
              </SignOutForm>
            ) : (
              <ActionForm action="/cuenta" fields={{ intent: "end_session", session: id }} preventScrollReset>
                <SubmitButton
                  variant="quiet"
                  small
                  busyText="Cerrando…"
                  aria-label={`Cerrar la sesión de ${device ?? "dispositivo desconocido"}`}
                >
                  Cerrar
                </SubmitButton>
              </ActionForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length >= LIMITS.sessionsShown && (
        <p className="hint">
          Se muestran los {LIMITS.sessionsShown} que se han usado más recientemente. «Cerrar sesión en los demás»
          incluye también los que no se ven.
        </p>
      )}
      {hasOthers && (
        <ActionForm action="/salir" fields={{ scope: "others" }} className="above-4">
          <Button type="submit" variant="soft">
            Cerrar sesión en los demás
          </Button>
        </ActionForm>
      )}
      <div className="end-sessions">
        <p className="text-muted small">
          Tu cuenta conoce los navegadores donde has entrado: aunque alguien pruebe contraseñas con tu correo, en ellos
          puedes seguir entrando. Si este dispositivo no es tuyo, haz que lo olvide al salir.
        </p>
        <SignOutForm fields={{ scope: "this", forget: "device" }}>
          <Button type="submit" variant="quiet" small>
            Cerrar sesión y olvidar este navegador
          </Button>
        </SignOutForm>
      </div>
      <div className="end-sessions">
        <p className="text-muted small">
          Si crees que alguien más usa tu cuenta, ciérrala en todas partes, también aquí.
        </p>
        <SignOutForm fields={{ scope: "all" }}>
          <Button type="submit" variant="quiet" small className="button--reject">
            Cerrar sesión en todos
          </Button>
        </SignOutForm>
      </div>
    </Panel>
  );
}

const WORDS: Record<Consent, { given: string; without: string }> = {
  adult_or_guardian: {
    given: "Tienes 18 años o más, o autorización de tu tutor.",
    without: "Si ya no es así, no podrás publicar, y te pedimos que elimines la cuenta.",
  },
  health_data: {
    given: "Tratamos los datos sobre tu salud que escribas.",
    without:
      "Sin este permiso no podemos guardar nada nuevo sobre tu salud: no podrás publicar consultas, respuestas, comentarios ni reseñas. Lo publicado sigue ahí hasta que lo borres o elimines la cuenta.",
  },
  professional_data: {
    given: "Tratamos tus datos profesionales y publicamos tu perfil.",
    without:
      "Sin este permiso no podrás publicar nada nuevo. Tu perfil y lo publicado siguen ahí hasta que elimines la cuenta.",
  },
  transfer_abroad: {
    given: "Tus datos se procesan fuera de tu país.",
    without:
      "Los datos de la cuenta no pueden quedarse en un solo país: sin este permiso no podrás publicar, y para que dejemos de procesarlos hay que eliminar la cuenta.",
  },
};

/** Withdrawing is as easy as giving (specification, section 2, "Account"). */
function ConsentsPanel({ consents, userType }: { consents: AccountView["consents"]; userType: UserType }) {
  const shown = CONSENTS.filter(
    (kind) => CONSENTS_OF[userType].includes(kind) || consents.some((given) => given.kind === kind),
  );
  return (
    <Panel id="permisos" title="Tus permisos">
      <p className="text-muted panel__lead">
        Los diste al registrarte, por separado. Puedes retirarlos y darlos otra vez.
      </p>
      <ul className="account-list">
        {shown.map((kind) => (
          <ConsentLine key={kind} kind={kind} history={consents.filter((consent) => consent.kind === kind)} />
        ))}
      </ul>
    </Panel>
  );
}

function ConsentLine({ kind, history }: { kind: Consent; history: AccountView["consents"] }) {
  const current = history.findLast((consent) => consent.withdrawn_at === null);
  const last = history.at(-1);
  return (
    <li className="account-list__full-width">
      <p>
        <b>{WORDS[kind].given}</b>
        {history.map(({ accepted_at, withdrawn_at, version }) => (
          <span key={accepted_at} className="hint">
            Aceptado el {formatDate(accepted_at)}, versión del {formatDate(version)}.
            {withdrawn_at && ` Retirado el ${formatDate(withdrawn_at)}.`}
          </span>
        ))}
      </p>
      {current ? (
        <details>
          <summary className="button button--soft button--small">
            Retirar<span className="visually-hidden"> el permiso: {WORDS[kind].given}</span>
          </summary>
          <ActionForm
            action="/cuenta"
            preventScrollReset
            fields={{ intent: "consent", kind }}
            className="stack above-3"
          >
            <p>{WORDS[kind].without}</p>
            <SubmitButton variant="danger" small busyText="Retirando…">
              Retirar este permiso
            </SubmitButton>
          </ActionForm>
        </details>
      ) : (
        <ActionForm
          action="/cuenta"
          preventScrollReset
          fields={{ intent: "consent", kind, given: "on" }}
          className="row"
        >
          {last && <Badge tone="wait">Retirado</Badge>}
          <SubmitButton variant="soft" small busyText="Guardando…">
            {last ? "Darlo otra vez" : "Dar este permiso"}
            <span className="visually-hidden">: {WORDS[kind].given}</span>
          </SubmitButton>
        </ActionForm>
      )}
    </li>
  );
}
