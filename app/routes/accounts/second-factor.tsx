import { Form, Link, redirect } from "react-router";
import { RecoveryCodes, SecondFactorSetup } from "#app/accounts/second-factor/second-factor-setup.tsx";
import { Setting } from "#app/accounts/setting.tsx";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { CurrentPasswordField } from "#app/components/current-password-field.tsx";
import { getActionError } from "#app/lib/action-error.ts";
import { pluralize } from "#app/lib/numbers.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import {
  formErrorResponse,
  formFields,
  requireViewer,
  runAction,
  runLoader,
  setFlash,
  withReauthentication,
} from "#app/lib/page-request.server.ts";
import { encodePath } from "#app/lib/sign-in-path.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { BackIcon } from "#app/ui/more-icons.tsx";
import { PhoneIllustration } from "#app/ui/page-illustrations.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { AppError } from "#shared/errors.ts";
import { safeRedirectAfterSignIn } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/second-factor.ts";

export const meta: Route.MetaFunction = () => pageMeta("Verificación en dos pasos");

/** Returns the path to return to, or null. */
function backFrom(url: URL): string | null {
  const back = url.searchParams.get("volver");
  return back === null ? null : safeRedirectAfterSignIn(back);
}

const secondFactorPath = (back: string | null) => `/cuenta/segundo-paso${back ? `?volver=${encodePath(back)}` : ""}`;

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, now, demo }) => {
    const back = backFrom(args.url);
    const me = requireViewer(args, secondFactorPath(back));
    const [factor, account] = await Promise.all([api.secondFactor.read({}), api.accounts.account({})]);
    return {
      factor,
      asksPassword: account.reauthenticated_until === null,
      // If the setup is required for an administrator, the page says so.
      forAdmin: me.is_admin && !demo && factor.state !== "on",
      back,
      now: now.toISOString(),
    };
  });

export async function action(args: Route.ActionArgs) {
  const { intent, code = "", current_password } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    const { secondFactor } = ctx.api;
    const confirmed = <Result,>(change: () => Promise<Result>) => withReauthentication(ctx, current_password, change);
    switch (intent) {
      case "confirm":
        return secondFactor.confirm({ code });
      case "codes":
        return confirmed(() => secondFactor.renewCodes({}));
      case "begin":
        await confirmed(() => secondFactor.begin({}));
        throw redirect(secondFactorPath(backFrom(args.url)));
      case "remove":
        await confirmed(() => secondFactor.remove({}));
        setFlash(ctx, "second_factor_off");
        throw redirect("/cuenta");
      default:
        throw new AppError("malformed_request");
    }
  });
  if ("recovery_codes" in result) return result;
  return formErrorResponse(args, result, { intent });
}

type Shown = Pick<Route.ComponentProps, "loaderData" | "actionData">;

/** Sets up the second factor, shows its recovery codes once, and disables it (specification, section 2, "Account"). */
export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const codes = actionData && "recovery_codes" in actionData ? actionData.recovery_codes : null;
  const Part = loaderData.factor.state === "on" ? TurnedOn : TurnedOff;
  return (
    <CenteredPage
      title="Verificación en dos pasos"
      illustration={<PhoneIllustration />}
      wide
      before={
        <Link className="icon-link" to="/cuenta">
          <BackIcon size="s" />
          Cuenta y seguridad
        </Link>
      }
    >
      <div className="stack">
        {codes ? (
          <RecoveryCodes codes={codes} next={loaderData.back ?? "/cuenta"} />
        ) : (
          <Part loaderData={loaderData} actionData={actionData} />
        )}
      </div>
    </CenteredPage>
  );
}

/** Password field, if the user did not enter the password within the last 10 minutes. */
function Password({ id, loaderData, actionData }: Shown & { id: string }) {
  const actionError = getActionError(actionData);
  if (!loaderData.asksPassword && actionError?.code !== "reauthentication_required") return null;
  return <CurrentPasswordField id={id} error={actionError?.fields?.current_password} />;
}

const codesLeftWords = (left: number | null | undefined) =>
  left
    ? `Te ${left === 1 ? "queda" : "quedan"} ${pluralize(left, "código", "códigos")}`
    : "No te queda ninguno: pide otros";

function TurnedOn(shown: Shown) {
  const { factor, now } = shown.loaderData;
  const { actionData } = shown;
  const refusedIntent = actionData && "intent" in actionData ? actionData.intent : null;
  const message = <ActionErrorMessage result={actionData} />;
  const sending = { codes: useSubmitting({ intent: "codes" }), remove: useSubmitting({ intent: "remove" }) };
  return (
    <Panel title="Activada">
      <p className="text-muted panel__lead">
        Desde <RelativeTime datetime={factor.since!} now={now} />. Para entrar hacen falta tu contraseña y un código de
        tu aplicación.
      </p>
      <Setting
        name="Códigos de recuperación"
        value={codesLeftWords(factor.recovery_codes_left)}
        verb="Pedir otros"
        open={refusedIntent === "codes"}
      >
        <Form noValidate method="post" className="stack stack--form">
          <input type="hidden" name="intent" value="codes" />
          {refusedIntent === "codes" && message}
          <p className="text-muted">Los que tienes ahora dejarán de servir.</p>
          <Password id="codes-password" {...shown} />
          <Button type="submit" busy={sending.codes} busyText="Generando códigos…">
            Generar códigos
          </Button>
        </Form>
      </Setting>
      <Setting
        name="Desactivar"
        value="Volverá a alcanzar la contraseña"
        verb="Desactivar"
        open={refusedIntent === "remove"}
      >
        <Form noValidate method="post" className="stack stack--form">
          <input type="hidden" name="intent" value="remove" />
          {refusedIntent === "remove" && message}
          <p className="text-muted">
            También si cambias de teléfono: desactívala aquí y actívala otra vez con el nuevo.
          </p>
          <Password id="remove-password" {...shown} />
          <Button type="submit" variant="danger" busy={sending.remove} busyText="Desactivando…">
            Desactivar la verificación
          </Button>
        </Form>
      </Setting>
    </Panel>
  );
}

function TurnedOff(shown: Shown) {
  const { factor, forAdmin } = shown.loaderData;
  const beginning = useSubmitting({ intent: "begin" });
  return (
    <>
      {forAdmin && (
        <FormMessage tone="info" title="La administración la necesita">
          Quien administra ve datos de otras personas: el panel se abre cuando la actives.
        </FormMessage>
      )}
      <ActionErrorMessage result={shown.actionData} />
      {factor.setup ? (
        <SecondFactorSetup setup={factor.setup} error={getActionError(shown.actionData)?.fields?.code} />
      ) : (
        <Panel title="Una llave más para tu cuenta">
          <p className="panel__lead">
            Además de la contraseña, para entrar te pediremos un código que cambia cada 30 segundos y que muestra una
            aplicación de tu teléfono. Quien averigüe tu contraseña no podrá entrar con ella sola.
          </p>
          <Form noValidate method="post" className="stack stack--form">
            <input type="hidden" name="intent" value="begin" />
            <Password id="begin-password" {...shown} />
            <Button type="submit" busy={beginning} busyText="Preparando…">
              Empezar
            </Button>
          </Form>
        </Panel>
      )}
    </>
  );
}
