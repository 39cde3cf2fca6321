import {
  InvalidLinkPage,
  MailedLinkForm,
  mailedLinkHeaders,
  mailedLinkMeta,
  useMailedLink,
} from "#app/components/mailed-link.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
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

/** Page of the mails that confirm or undo a change of email. */
export default function EmailLink({ loaderData, actionData }: Route.ComponentProps) {
  const { link, dead } = useMailedLink(loaderData, actionData);
  if (!link)
    return (
      <InvalidLinkPage
        actionError={dead}
        expired="Los enlaces para confirmar un correo sirven una sola vez, durante 24 horas; los que deshacen un cambio, durante 7 días. En tu cuenta ves qué correo usa ahora."
      >
        <p>
          <ButtonLink to="/cuenta">Ir a mi cuenta</ButtonLink>
        </p>
      </InvalidLinkPage>
    );
  const undo = link.purpose === "undo";
  return (
    <CenteredPage title={undo ? "Volver al correo de antes" : "Confirma tu correo nuevo"} illustration="letter" card>
      <p>
        {undo ? "Tu cuenta volverá a usar " : "Tu cuenta usará "}
        <b>{link.email}</b>.{" "}
        {undo
          ? "Cerraremos todas las sesiones y te enviaremos un enlace para elegir una contraseña nueva: la de ahora dejará de servir."
          : "La dirección anterior recibirá un aviso."}
      </p>
      <MailedLinkForm
        token={link.token}
        result={actionData}
        button={undo ? "Volver a este correo" : "Usar este correo"}
        busyText="Guardando…"
      />
      <p className="text-muted">
        {undo
          ? "Si fuiste tú quien cambió el correo, cierra esta página: todo queda como está."
          : "Si no lo has pedido, cierra esta página: no cambia nada."}
      </p>
    </CenteredPage>
  );
}
