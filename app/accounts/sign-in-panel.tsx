import { Link } from "react-router";
import { CurrentPasswordField, EmailInput, NewPasswordFields } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { Button } from "#app/ui/button.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AccountView } from "#shared/accounts.ts";
import { Setting, SettingLink } from "./setting.tsx";
import "./account.css";

type Props = { account: AccountView; response: unknown; showsMails: boolean };

const FORM = { action: "/cuenta", preventScrollReset: true };

export function SignInPanel({ account, response, showsMails }: Props) {
  const email = useForm(response, { intent: "email" });
  const emailAgain = useForm(response, { intent: "email_again" });
  const password = useForm(response, { intent: "password" });
  const asks = account.reauthenticated_until === null;
  return (
    <Panel id="acceso" title="Cómo entras">
      <Setting id="correo" name="Correo" value={account.email} open={email.error !== null}>
        <ActionForm {...FORM} fields={{ intent: "email" }} className="stack stack--form">
          <FormError form={email} />
          <p className="text-muted">
            Escribimos a la dirección nueva y el cambio se hace cuando abres ese mensaje. La de ahora recibe un aviso.
          </p>
          <EmailInput label="Correo nuevo" id="new-email" {...fieldOf(email, "email")} />
          <CurrentPasswordField id="email-password" asks={asks} form={email} />
          <SubmitButton busyText="Enviando…">Cambiar el correo</SubmitButton>
        </ActionForm>
      </Setting>
      {account.new_email && (
        <div className="notice new-address" role="status">
          <div>
            <p className="notice__title">Falta confirmar el correo nuevo</p>
            <p className="small">
              Hemos enviado un mensaje a <b>{account.new_email}</b>. Abre el enlace que trae: sirve durante 24 horas.
              {showsMails && " "}
              {showsMails && <Link to="/correo">Abrir los correos de la demostración</Link>}
            </p>
            <FormError form={emailAgain} />
            <div className="row above">
              <ActionForm {...FORM} fields={{ intent: "email_again" }}>
                <SubmitButton small busyText="Enviando…">
                  Enviar otra vez
                </SubmitButton>
              </ActionForm>
              <ActionForm {...FORM} fields={{ intent: "email_cancel" }}>
                <Button type="submit" variant="quiet" small>
                  Seguir con el de ahora
                </Button>
              </ActionForm>
            </div>
          </div>
        </div>
      )}
      <Setting
        id="contrasena"
        name="Contraseña"
        value={
          <>
            Cambiada <RelativeTime datetime={account.password_changed_at} />
          </>
        }
        open={password.error !== null}
      >
        <ActionForm {...FORM} fields={{ intent: "password" }} className="stack stack--form">
          <FormError form={password} />
          <CurrentPasswordField id="password-password" asks={asks} form={password} />
          {/* The key empties the fields after the change. */}
          <NewPasswordFields
            key={account.password_changed_at}
            label="Contraseña nueva"
            ids={["new-password", "confirm-password"]}
            fields={password.errors}
          />
          <p className="text-muted">Al guardarla se cierra la sesión en tus otros dispositivos.</p>
          <SubmitButton busyText="Guardando…">Guardar la contraseña</SubmitButton>
        </ActionForm>
      </Setting>
      <SettingLink
        name="Verificación en dos pasos"
        value={
          account.second_factor_since ? (
            <>
              Activada <RelativeTime datetime={account.second_factor_since} />
            </>
          ) : (
            "Desactivada"
          )
        }
        to="/cuenta/segundo-paso"
      >
        {account.second_factor_since ? "Ver" : "Activar"}
      </SettingLink>
    </Panel>
  );
}
