import { Form } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { useSubmittingForm } from "#app/lib/submitting.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { MonitorIcon, SmartphoneIcon } from "#app/ui/more-icons.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { OwnSessionView } from "#shared/sign-in.ts";
import "./account.css";

/** Lists the user's sessions. Ends one session, all others, or all. */
export function SessionsPanel({ sessions, now }: { sessions: OwnSessionView[]; now: string }) {
  const { signingOut } = useAuth();
  const submitting = useSubmittingForm();
  const hasOthers = sessions.some((session) => !session.current);
  return (
    <Panel id="sesiones" title="Dispositivos conectados">
      <p className="text-muted panel__lead">
        Si hay un dispositivo que no es tuyo, cierra su sesión y después cambia la contraseña.
      </p>
      <ul className="account-list">
        {sessions.map(({ id, device, seen_at, current }) => (
          <li key={id}>
            {/\b(Android|iPhone|iPad)$/.test(device ?? "") ? <SmartphoneIcon /> : <MonitorIcon />}
            <p>
              <b>{device ?? "Dispositivo desconocido"}</b>
              {current ? (
                <Badge tone="ok">Este dispositivo</Badge>
              ) : (
                <span className="hint">
                  Usado <RelativeTime datetime={seen_at} now={now} />
                </span>
              )}
            </p>
            {current ? (
              <Form method="post" action="/salir" onSubmit={signingOut}>
                <input type="hidden" name="scope" value="this" />
                <Button type="submit" variant="quiet" small aria-label="Cerrar sesión aquí">
                  Cerrar
                </Button>
              </Form>
            ) : (
              <Form method="post" action="/cuenta" preventScrollReset>
                <input type="hidden" name="intent" value="end_session" />
                <input type="hidden" name="session" value={id} />
                <Button
                  type="submit"
                  variant="quiet"
                  small
                  busy={submitting({ intent: "end_session", session: id })}
                  busyText="Cerrando…"
                  aria-label={`Cerrar la sesión de ${device ?? "dispositivo desconocido"}`}
                >
                  Cerrar
                </Button>
              </Form>
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
        <Form method="post" action="/salir" className="panel__action">
          <input type="hidden" name="scope" value="others" />
          <Button type="submit" variant="soft">
            Cerrar sesión en los demás
          </Button>
        </Form>
      )}
      <div className="end-sessions">
        <p className="text-muted">
          Tu cuenta conoce los navegadores donde has entrado: aunque alguien pruebe contraseñas con tu correo, en ellos
          puedes seguir entrando. Si este dispositivo no es tuyo, haz que lo olvide al salir.
        </p>
        <Form method="post" action="/salir" onSubmit={signingOut}>
          <input type="hidden" name="scope" value="this" />
          <input type="hidden" name="forget" value="device" />
          <Button type="submit" variant="quiet" small>
            Cerrar sesión y olvidar este navegador
          </Button>
        </Form>
      </div>
      <div className="end-sessions">
        <p className="text-muted">Si crees que alguien más usa tu cuenta, ciérrala en todas partes, también aquí.</p>
        <Form method="post" action="/salir" onSubmit={signingOut}>
          <input type="hidden" name="scope" value="all" />
          <Button type="submit" variant="quiet" small className="end-sessions__all">
            Cerrar sesión en todos
          </Button>
        </Form>
      </div>
    </Panel>
  );
}
