import { MailedLinkPage, mailedLinkHeaders, mailedLinkMeta } from "#app/components/mailed-link.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/email-link.ts";

export const meta: Route.MetaFunction = () => mailedLinkMeta("El correo de tu cuenta");
export const handle: FailureHandle = { failed: { act: failure("No se pudieron guardar los cambios") } };

export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, ({ api }, token) => api.accounts.emailLink({ token }));

export const action = formAction(async ({ api, input, viewer, leave }) => {
  const { purpose } = await api.accounts.applyEmailLink(input("token"));
  return leave(viewer() ? "/cuenta" : "/auth", purpose === "undo" ? "email_restored" : "email_changed");
});

export default function EmailLink(shown: Route.ComponentProps) {
  return (
    <MailedLinkPage
      {...shown}
      expired="Los enlaces para confirmar un correo sirven una sola vez, durante 24 horas; los que deshacen un cambio, durante 7 días. En tu cuenta ves qué correo usa ahora."
      ways={() => [["Ir a mi cuenta", "/cuenta"]]}
      content={({ purpose, email }) =>
        purpose === "undo"
          ? {
              title: "Volver al correo de antes",
              illustration: "letter",
              text: (
                <p>
                  Tu cuenta volverá a usar <b>{email}</b>. Cerraremos todas las sesiones y te enviaremos un enlace para
                  elegir una contraseña nueva: la de ahora dejará de servir.
                </p>
              ),
              button: "Volver a este correo",
              note: "Si fuiste tú quien cambió el correo, cierra esta página: todo queda como está.",
            }
          : {
              title: "Confirma tu correo nuevo",
              illustration: "letter",
              text: (
                <p>
                  Tu cuenta usará <b>{email}</b>. La dirección anterior recibirá un aviso.
                </p>
              ),
              button: "Usar este correo",
              note: "Si no lo has pedido, cierra esta página: no cambia nada.",
            }
      }
    />
  );
}
