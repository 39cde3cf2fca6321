import type { ReactNode } from "react";
import { Form, Link } from "react-router";
import type { WordedError } from "#app/lib/page-words.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { CurrentPasswordField } from "#app/parts/current-password-field.tsx";
import { EmailInput } from "#app/parts/email-input.tsx";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AccountView } from "#shared/accounts.ts";
import { NewPasswordFields } from "./new-password-fields.tsx";
import { Setting } from "./setting.tsx";
import "./account.css";

/** Data of a failed action: the form's intent, the error and the typed values. */
type RefusedForm = { intent: string; refused: WordedError; typed: Record<string, string>; at: number };

type Props = { account: AccountView; refusal: RefusedForm | null; now: string; showsMails: boolean };

/** Settings of email and password. */
export function SignInPanel({ account, refusal, now, showsMails }: Props) {
  const of = (intent: string) => (refusal?.intent === intent ? refusal : null);
  const asksPassword = (intent: string) =>
    account.fresh_until === null || of(intent)?.refused.code === "reauthentication_required";
  return (
    <Panel id="acceso" title="Cómo entras">
      <EmailSetting
        email={account.email}
        newEmail={account.new_email}
        asksPassword={asksPassword("email")}
        refusal={of("email") ?? of("email_again")}
        showsMails={showsMails}
      />
      <PasswordSetting
        changed={
          <>
            Cambiada <RelativeTime datetime={account.password_changed_at} now={now} />
          </>
        }
        asksPassword={asksPassword("password")}
        refusal={of("password")}
      />
      <p className="setting setting--link">
        <span>
          <b>Verificación en dos pasos</b>
          <span className="soft">
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
  refusal,
  showsMails,
}: {
  email: string;
  newEmail: string | null;
  asksPassword: boolean;
  refusal: RefusedForm | null;
  showsMails: boolean;
}) {
  const sending = useSubmitting({ intent: "email" });
  const sendingAgain = useSubmitting({ intent: "email_again" });
  const fields = refusal?.refused.fields ?? {};
  return (
    <>
      <Setting id="correo" name="Correo" value={email} open={refusal?.intent === "email"}>
        <Form noValidate method="post" action="/cuenta" className="stack stack--form" preventScrollReset>
          <input type="hidden" name="intent" value="email" />
          <RefusalMessage result={refusal?.intent === "email" ? refusal : null} />
          <p className="soft">
            Escribimos a la dirección nueva y el cambio se hace cuando abres ese mensaje. La de ahora recibe un aviso.
          </p>
          <EmailInput label="Correo nuevo" id="new-email" defaultValue={refusal?.typed.email} error={fields.email} />
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
            <RefusalMessage result={refusal?.intent === "email_again" ? refusal : null} />
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
  refusal,
}: {
  changed: ReactNode;
  asksPassword: boolean;
  refusal: RefusedForm | null;
}) {
  const sending = useSubmitting({ intent: "password" });
  const fields = refusal?.refused.fields ?? {};
  return (
    <Setting id="contrasena" name="Contraseña" value={changed} open={refusal !== null}>
      <Form noValidate method="post" action="/cuenta" className="stack stack--form" preventScrollReset>
        <input type="hidden" name="intent" value="password" />
        <RefusalMessage result={refusal} />
        {asksPassword && <CurrentPasswordField id="password-password" error={fields.current_password} />}
        <NewPasswordFields label="Contraseña nueva" ids={["new-password", "confirm-password"]} fields={fields} />
        <p className="soft">Al guardarla se cierra la sesión en tus otros dispositivos.</p>
        <Button type="submit" busy={sending} busyText="Guardando…">
          Guardar la contraseña
        </Button>
      </Form>
    </Setting>
  );
}
