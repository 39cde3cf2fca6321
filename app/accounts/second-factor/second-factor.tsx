import { Setting } from "#app/accounts/setting.tsx";
import { CurrentPasswordField } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pluralize } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { Route } from "./+types/second-factor.ts";
import { RecoveryCodes, SecondFactorSetup } from "./second-factor-setup.tsx";

export const meta: Route.MetaFunction = () => pageMeta("Verificación en dos pasos");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api, demo }) => {
    const me = requireViewer(args);
    const [factor, account] = await Promise.all([api.secondFactor.read({}), api.accounts.account({})]);
    return {
      factor,
      asksPassword: account.reauthenticated_until === null,
      // An administrator must set it up. The page says so.
      forAdmin: me.is_admin && !demo && factor.state !== "on",
      next: me.is_admin ? "/admin" : "/cuenta",
    };
  });

export const action = formAction({
  confirm: ({ api, input }) => api.secondFactor.confirm(input("code")),
  codes: ({ api, confirmed }) => confirmed(() => api.secondFactor.renewCodes({})),
  async begin({ api, confirmed, leave }) {
    await confirmed(() => api.secondFactor.begin({}));
    return leave("/cuenta/segundo-paso");
  },
  async remove({ api, confirmed, leave }) {
    await confirmed(() => api.secondFactor.remove({}));
    return leave("/cuenta", "second_factor_off");
  },
});

export const shouldRevalidate = reloadAfterConflict;

/** Sets up the second factor, shows its recovery codes once, and disables it (specification, section 2, "Account"). */
export default function SecondFactor({ loaderData, actionData }: Route.ComponentProps) {
  const codes = actionData && "recovery_codes" in actionData ? actionData.recovery_codes : null;
  const Part = loaderData.factor.state === "on" ? TurnedOn : TurnedOff;
  return (
    <CenteredPage
      title="Verificación en dos pasos"
      illustration="phone"
      wide
      before={<BackLink to="/cuenta">Cuenta y seguridad</BackLink>}
    >
      <div className="stack">
        {codes ? (
          <RecoveryCodes codes={codes} next={loaderData.next} />
        ) : (
          <Part {...loaderData} response={actionData} />
        )}
      </div>
    </CenteredPage>
  );
}

type PartProps = Route.ComponentProps["loaderData"] & { response: unknown };

const codesLeftWords = (left: number | null | undefined) =>
  left
    ? `Te ${left === 1 ? "queda" : "quedan"} ${pluralize(left, "código", "códigos")}`
    : "No te queda ninguno: pide otros";

function TurnedOn({ factor, asksPassword, response }: PartProps) {
  const renewal = useForm(response, { intent: "codes" });
  const removal = useForm(response, { intent: "remove" });
  return (
    <Panel title="Activada">
      <p className="text-muted panel__lead">
        Desde <RelativeTime datetime={factor.since!} />. Para entrar hacen falta tu contraseña y un código de tu
        aplicación.
      </p>
      <Setting
        name="Códigos de recuperación"
        value={codesLeftWords(factor.recovery_codes_left)}
        verb="Pedir otros"
        open={renewal.error !== null}
      >
        <ActionForm fields={{ intent: "codes" }} className="stack stack--form">
          <FormError form={renewal} />
          <p className="text-muted">Los que tienes ahora dejarán de servir.</p>
          <CurrentPasswordField id="codes-password" asks={asksPassword} form={renewal} />
          <SubmitButton busyText="Generando códigos…">Generar códigos</SubmitButton>
        </ActionForm>
      </Setting>
      <Setting
        name="Desactivar"
        value="Bastará otra vez con la contraseña"
        verb="Desactivar"
        open={removal.error !== null}
      >
        <ActionForm fields={{ intent: "remove" }} className="stack stack--form">
          <FormError form={removal} />
          <p className="text-muted">
            También si cambias de teléfono: desactívala aquí y actívala otra vez con el nuevo.
          </p>
          <CurrentPasswordField id="remove-password" asks={asksPassword} form={removal} />
          <SubmitButton variant="danger" busyText="Desactivando…">
            Desactivar la verificación
          </SubmitButton>
        </ActionForm>
      </Setting>
    </Panel>
  );
}

function TurnedOff({ factor, forAdmin, asksPassword, response }: PartProps) {
  const form = useForm(response);
  return (
    <>
      {forAdmin && (
        <FormMessage tone="info" title="La administración la necesita">
          Quien administra ve datos de otras personas: el panel se abre cuando la actives.
        </FormMessage>
      )}
      <FormError form={form} />
      {factor.setup ? (
        <SecondFactorSetup setup={factor.setup} error={form.errors.code} />
      ) : (
        <Panel title="Una llave más para tu cuenta">
          <p className="panel__lead">
            Además de la contraseña, para entrar te pediremos un código que cambia cada 30 segundos y que muestra una
            aplicación de tu teléfono. Quien averigüe tu contraseña no podrá entrar con ella sola.
          </p>
          <ActionForm fields={{ intent: "begin" }} className="stack stack--form">
            <CurrentPasswordField id="begin-password" asks={asksPassword} form={form} />
            <SubmitButton busyText="Preparando…">Empezar</SubmitButton>
          </ActionForm>
        </Panel>
      )}
    </>
  );
}
