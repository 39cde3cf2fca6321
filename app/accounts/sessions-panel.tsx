import { SignOutForm } from "#app/accounts/sign-in/sign-out-form.tsx";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { OwnSessionView } from "#shared/sign-in.ts";
import "./account.css";

/** Lists the user's sessions. Ends one session, all others, or all. */
export function SessionsPanel({ sessions }: { sessions: OwnSessionView[] }) {
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
