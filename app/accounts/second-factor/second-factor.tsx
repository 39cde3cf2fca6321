import { Setting } from "#app/accounts/setting.tsx";
import { CurrentPasswordField } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pluralize } from "#app/lib/format.ts";
import { useHydrated } from "#app/lib/hydrated.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { SecondFactorView } from "#shared/second-factor.ts";
import type { Route } from "./+types/second-factor.ts";
import "./second-factor.css";

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

/** QR code. Black on white in both themes, because some scanners read nothing else. */
function QrCode({ size, path }: { size: number; path: string }) {
  const border = 4;
  return (
    <svg
      className="qr"
      viewBox={`${-border} ${-border} ${size + 2 * border} ${size + 2 * border}`}
      role="img"
      aria-label="Código QR para tu aplicación"
      shapeRendering="crispEdges"
    >
      <path d={`M${-border} ${-border}h${size + 2 * border}v${size + 2 * border}h${-size - 2 * border}z`} fill="#fff" />
      <path d={path} fill="#000" />
    </svg>
  );
}

function SecondFactorSetup({ setup, error }: { setup: NonNullable<SecondFactorView["setup"]>; error?: string }) {
  return (
    <>
      <Panel title="1. Agrega la cuenta a tu aplicación">
        <p className="text-muted panel__lead">
          Abre en el teléfono una aplicación de códigos, por ejemplo Aegis, Google Authenticator o la de tus
          contraseñas, y escanea este código QR.
        </p>
        <QrCode {...setup.qr} />
        <p className="above-4">
          <a href={setup.address}>Abrir en una aplicación de este dispositivo</a>
        </p>
        <p className="text-muted above">O escribe esta clave a mano:</p>
        <p className="codes codes--one">
          <code>{setup.secret.match(/.{1,4}/g)!.join(" ")}</code>
        </p>
      </Panel>
      <Panel title="2. Escribe el código que muestra">
        <ActionForm fields={{ intent: "confirm" }} className="stack stack--form above-3">
          <TextInput
            label="Código de 6 números"
            id="code"
            name="code"
            inputMode="numeric"
            autoComplete="one-time-code"
            required
            maxLength={LIMITS.code.max}
            hint="Cambia cada 30 segundos."
            error={error}
          />
          <SubmitButton busyText="Comprobando…">Activar</SubmitButton>
        </ActionForm>
      </Panel>
    </>
  );
}

function RecoveryCodes({ codes, next }: { codes: string[]; next: string }) {
  const hydrated = useHydrated();
  return (
    <Panel title="Guarda tus códigos de recuperación">
      <p className="panel__lead">
        Si pierdes el teléfono, cada uno de estos códigos sirve una vez para entrar. <b>No los volveremos a mostrar.</b>{" "}
        Guárdalos donde no dependan de tu teléfono: impresos o en un cuaderno.
      </p>
      <ol className="codes">
        {codes.map((code) => (
          <li key={code}>
            <code>{code}</code>
          </li>
        ))}
      </ol>
      <div className="row codes__actions">
        {hydrated && (
          <Button variant="soft" small onClick={() => print()}>
            Imprimir
          </Button>
        )}
        <CopyButton
          text={codes.join("\n")}
          copiedLabel="Copiados"
          actionError={{
            title: "No se han copiado los códigos",
            description: "Puedes imprimirlos o copiarlos a mano.",
          }}
        >
          Copiar
        </CopyButton>
        <ButtonLink to={next} small>
          Ya los tengo guardados
        </ButtonLink>
      </div>
    </Panel>
  );
}
