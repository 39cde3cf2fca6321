import { MailedLinkPage, mailedLinkHeaders, mailedLinkMeta } from "#app/components/mailed-link.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/device-link.ts";

const TITLE = "Entrar desde este navegador";

export const meta: Route.MetaFunction = () => mailedLinkMeta(TITLE);
export const handle: FailureHandle = { failed: { act: failure("No se pudieron guardar los cambios") } };

export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, ({ api }, token) => api.accounts.deviceLink({ token }));

export const action = formAction(async ({ api, input, leave }) => {
  await api.accounts.applyDeviceLink(input("token"));
  return leave("/auth", "device_known");
});

export default function DeviceLink(shown: Route.ComponentProps) {
  return (
    <MailedLinkPage
      {...shown}
      expired="Los enlaces para entrar desde un navegador nuevo sirven una sola vez, durante 24 horas. Si no puedes entrar, elige una contraseña nueva: después podrás hacerlo enseguida."
      ways={() => [["Elegir una contraseña nueva", "/auth/recuperar"]]}
      content={() => ({
        title: TITLE,
        illustration: "key",
        text: (
          <p>
            Tu cuenta conocerá este navegador, y podrás entrar en él aunque otras personas prueben contraseñas con tu
            correo. Enseguida te pediremos tu contraseña, como siempre.
          </p>
        ),
        button: TITLE,
        note: "Si no estabas intentando entrar, cierra esta página: no cambia nada y nadie ha entrado en tu cuenta.",
      })}
    />
  );
}
