import { NewPasswordFields } from "#app/components/account-fields.tsx";
import { useForm } from "#app/components/action-form.tsx";
import {
  InvalidLinkPage,
  MailedLinkForm,
  mailedLinkHeaders,
  mailedLinkMeta,
  useMailedLink,
} from "#app/components/mailed-link.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/new-password.ts";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Elegir una contraseña nueva");
export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, async (_, token) => {
    if (!token) throw new AppError("link_expired");
    return {};
  });

export const action = formAction(async ({ api, input, leave }) => {
  await api.accounts.recover(input("token", "password", "confirm_password"));
  return leave("/auth", "password_changed");
});

/** Page of the recovery mail. */
export default function NewPassword({ loaderData, actionData }: Route.ComponentProps) {
  const { link, dead } = useMailedLink(loaderData, actionData);
  const { errors } = useForm(actionData);
  if (!link)
    return (
      <InvalidLinkPage
        actionError={dead}
        expired="Los enlaces para elegir una contraseña sirven una sola vez, durante 60 minutos. Tu contraseña sigue siendo la de antes; pide otro enlace y ábrelo pronto."
      >
        <div className="row">
          <ButtonLink to="/auth/recuperar">Pedir otro enlace</ButtonLink>
          <ButtonLink to="/auth" variant="soft">
            Iniciar Sesión
          </ButtonLink>
        </div>
      </InvalidLinkPage>
    );
  return (
    <CenteredPage title="Elige una contraseña nueva" illustration="padlock" card>
      <p className="text-muted">Al guardarla se cierra la sesión en todos tus dispositivos.</p>
      <MailedLinkForm
        token={link.token}
        result={actionData}
        button="Guardar la contraseña"
        busyText="Guardando…"
        className="stack stack--page"
      >
        <NewPasswordFields label="Contraseña nueva" fields={errors} />
      </MailedLinkForm>
    </CenteredPage>
  );
}
