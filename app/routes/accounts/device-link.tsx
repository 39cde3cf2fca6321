import { redirect } from "react-router";
import { act, announce, fieldsOf, refusedForm } from "#app/lib/page-request.server.ts";
import { DeadLink, MailedLinkForm, mailedLinkHeaders, mailedLinkMeta, useMailedLink } from "#app/parts/mailed-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { KeyOnSeat } from "#app/ui/seat-objects.tsx";
import type { Route } from "./+types/device-link.ts";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Entrar desde este navegador");
export const headers = mailedLinkHeaders;

export async function loader(args: Route.LoaderArgs) {
  const token = args.url.searchParams.get("token") ?? "";
  const found = await act(args, ({ api }) => api.accounts.deviceLink({ token }));
  // An invalid link is rendered as a separate page with its status.
  return "done" in found ? { token } : found;
}

export async function action(args: Route.ActionArgs) {
  const { token = "" } = fieldsOf(args);
  const result = await act(args, async (here) => {
    await here.api.accounts.applyDeviceLink({ token });
    announce(here, "device_known");
    throw redirect("/auth");
  });
  return refusedForm(args, result);
}

/** Page of the mail about sign-in attempts from unknown devices. */
export default function DeviceLink({ loaderData, actionData }: Route.ComponentProps) {
  const dead = useMailedLink("/auth/navegador", loaderData, actionData);
  if (dead || !("token" in loaderData))
    return (
      <DeadLink
        refused={dead!}
        expired="Los enlaces para entrar desde un navegador nuevo sirven una sola vez, durante 24 horas. Si no puedes entrar, elige una contraseña nueva: después podrás hacerlo enseguida."
      >
        <p>
          <ButtonLink to="/auth/recuperar">Elegir una contraseña nueva</ButtonLink>
        </p>
      </DeadLink>
    );
  return (
    <Nook title="Entrar desde este navegador" seat={<KeyOnSeat />}>
      <NookCard>
        <p>
          Tu cuenta conocerá este navegador, y podrás entrar en él aunque otras personas prueben contraseñas con tu
          correo. Enseguida te pediremos tu contraseña, como siempre.
        </p>
        <MailedLinkForm
          token={loaderData.token}
          result={actionData}
          button="Entrar desde este navegador"
          busyText="Guardando…"
        />
        <p className="soft">
          Si no estabas intentando entrar, cierra esta página: no cambia nada y nadie ha entrado en tu cuenta.
        </p>
      </NookCard>
    </Nook>
  );
}
