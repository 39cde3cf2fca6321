import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { CurrentPasswordField } from "#app/components/current-password-field.tsx";
import { EmailInput } from "#app/components/email-input.tsx";
import type { DisplayError } from "#app/lib/client-error-messages.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AccountView } from "#shared/accounts.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { Setting } from "./setting.tsx";
import "./account.css";

/** Data of a failed action: the form's intent, the error and the typed values. */
type FormErrorState = { intent: string; actionError: DisplayError; typed: Record<string, string>; at: number };

type Props = { account: AccountView; submitError: FormErrorState | null; now: string; showsMails: boolean };

/** Settings of email and password. */
export function SignInPanel({ account, submitError, now, showsMails }: Props) {
  const of = (intent: string) => (submitError?.intent === intent ? submitError : null);
  const asksPassword = (intent: string) =>
    account.reauthenticated_until === null || of(intent)?.actionError.code === "reauthentication_required";
  return (
    <Panel id="acceso" title="Cómo entras">
      <EmailSetting
        email={account.email}
        newEmail={account.new_email}
        asksPassword={asksPassword("email")}
        submitError={of("email") ?? of("email_again")}
        showsMails={showsMails}
      />
      <PasswordSetting
        changed={
          <>
            Cambiada <RelativeTime datetime={account.password_changed_at} now={now} />
          </>
        }
        asksPassword={asksPassword("password")}
        submitError={of("password")}
      />
      <p className="setting setting--link">
        <span>
          <b>Verificación en dos pasos</b>
          <span className="text-muted">
            {account.second_factor_since ? (
              <>
                Activada <RelativeTime datetime={account.second_factor_since} now={now} />
              </>
            ) : (
              "Desactivada"
            )}
          </span>
        </span>
        <Link className="icon-link" to="/cuenta/segundo-paso">
          {account.second_factor_since ? "Ver" : "Activar"}
          <span className="visually-hidden"> la verificación en dos pasos</span>
        </Link>
      </p>
    </Panel>
  );
}

function EmailSetting({
  email,
  newEmail,
  asksPassword,
  submitError,
  showsMails,
}: {
  email: string;
  newEmail: string | null;
  asksPassword: boolean;
  submitError: FormErrorState | null;
  showsMails: boolean;
}) {
  const sending = useSubmitting({ intent: "email" });
  const sendingAgain = useSubmitting({ intent: "email_again" });
  const fields = submitError?.actionError.fields ?? {};
  return (
    <>
      <Setting id="correo" name="Correo" value={email} open={submitError?.intent === "email"}>
        <Form noValidate method="post" action="/cuenta" className="stack stack--form" preventScrollReset>
          <input type="hidden" name="intent" value="email" />
          <ActionErrorMessage result={submitError?.intent === "email" ? submitError : null} />
          <p className="text-muted">
            Escribimos a la dirección nueva y el cambio se hace cuando abres ese mensaje. La de ahora recibe un aviso.
          </p>
          <EmailInput
            label="Correo nuevo"
            id="new-email"
            defaultValue={submitError?.typed.email}
            error={fields.email}
          />
          {asksPassword && <CurrentPasswordField id="email-password" error={fields.current_password} />}
          <Button type="submit" busy={sending} busyText="Enviando…">
            Cambiar el correo
          </Button>
        </Form>
      </Setting>
      {newEmail && (
        <div className="notice new-address" role="status">
          <div>
            <p className="notice__title">Falta confirmar el correo nuevo</p>
            <p className="notice__more">
              Hemos enviado un mensaje a <b>{newEmail}</b>. Abre el enlace que trae: sirve durante 24 horas.
              {showsMails && " "}
              {showsMails && <Link to="/correo">Abrir los correos de la demostración</Link>}
            </p>
            <ActionErrorMessage result={submitError?.intent === "email_again" ? submitError : null} />
            <div className="row new-address__actions">
              <Form noValidate method="post" action="/cuenta" preventScrollReset>
                <input type="hidden" name="intent" value="email_again" />
                <Button type="submit" small busy={sendingAgain} busyText="Enviando…">
                  Enviar otra vez
                </Button>
              </Form>
              <Form noValidate method="post" action="/cuenta" preventScrollReset>
                <input type="hidden" name="intent" value="email_cancel" />
                <Button type="submit" variant="quiet" small>
                  Seguir con el de ahora
                </Button>
              </Form>
            </div>
          </div>
        </div>
      )}
    </>
  );
}

function PasswordSetting({
  changed,
  asksPassword,
  submitError,
}: {
  changed: ReactNode;
  asksPassword: boolean;
  submitError: FormErrorState | null;
}) {
  const sending = useSubmitting({ intent: "password" });
  const fields = submitError?.actionError.fields ?? {};
  return (
    <Setting id="contrasena" name="Contraseña" value={changed} open={submitError !== null}>
      <Form noValidate method="post" action="/cuenta" className="stack stack--form" preventScrollReset>
        <input type="hidden" name="intent" value="password" />
        <ActionErrorMessage result={submitError} />
        {asksPassword && <CurrentPasswordField id="password-password" error={fields.current_password} />}
        <NewPasswordFields label="Contraseña nueva" ids={["new-password", "confirm-password"]} fields={fields} />
        <p className="text-muted">Al guardarla se cierra la sesión en tus otros dispositivos.</p>
        <Button type="submit" busy={sending} busyText="Guardando…">
          Guardar la contraseña
        </Button>
      </Form>
    </Setting>
  );
}
