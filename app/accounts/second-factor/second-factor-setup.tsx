import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CopyButton } from "#app/ui/copy-button.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { SecondFactorView } from "#shared/second-factor.ts";
import "./second-factor.css";

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

/** First step of the second factor: the key for the authenticator app, and the form for the first code. */
export function SecondFactorSetup({ setup, error }: { setup: NonNullable<SecondFactorView["setup"]>; error?: string }) {
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

export function RecoveryCodes({ codes, next }: { codes: string[]; next: string }) {
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
