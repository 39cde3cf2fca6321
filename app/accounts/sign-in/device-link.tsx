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
import type { Route } from "./+types/device-link.ts";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Entrar desde este navegador");
export const handle: FailureHandle = { failed: { act: failure("No se pudieron guardar los cambios") } };

export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, ({ api }, token) => api.accounts.deviceLink({ token }));

export const action = formAction(async ({ api, input, leave }) => {
  await api.accounts.applyDeviceLink(input("token"));
  return leave("/auth", "device_known");
});

/** Page of the mail about sign-in attempts from unknown devices. */
export default function DeviceLink({ loaderData, actionData }: Route.ComponentProps) {
  const { link, dead } = useMailedLink(loaderData, actionData);
  if (!link)
    return (
      <InvalidLinkPage
        actionError={dead}
        expired="Los enlaces para entrar desde un navegador nuevo sirven una sola vez, durante 24 horas. Si no puedes entrar, elige una contraseña nueva: después podrás hacerlo enseguida."
      >
        <p>
          <ButtonLink to="/auth/recuperar">Elegir una contraseña nueva</ButtonLink>
        </p>
      </InvalidLinkPage>
    );
  return (
    <CenteredPage title="Entrar desde este navegador" illustration="key" card>
      <p>
        Tu cuenta conocerá este navegador, y podrás entrar en él aunque otras personas prueben contraseñas con tu
        correo. Enseguida te pediremos tu contraseña, como siempre.
      </p>
      <MailedLinkForm
        token={link.token}
        result={actionData}
        button="Entrar desde este navegador"
        busyText="Guardando…"
      />
      <p className="text-muted">
        Si no estabas intentando entrar, cierra esta página: no cambia nada y nadie ha entrado en tu cuenta.
      </p>
    </CenteredPage>
  );
}
