import { NewPasswordFields } from "#app/components/account-fields.tsx";
import { MailedLinkPage, mailedLinkHeaders, mailedLinkMeta } from "#app/components/mailed-link.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
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

export default function NewPassword(shown: Route.ComponentProps) {
  return (
    <MailedLinkPage
      {...shown}
      expired="Los enlaces para elegir una contraseña sirven una sola vez, durante 60 minutos. Tu contraseña sigue siendo la de antes; pide otro enlace y ábrelo pronto."
      ways={() => [
        ["Pedir otro enlace", "/auth/recuperar"],
        ["Iniciar Sesión", "/auth"],
      ]}
      content={(_, { errors }) => ({
        title: "Elige una contraseña nueva",
        illustration: "padlock",
        text: <p className="text-muted">Al guardarla se cierra la sesión en todos tus dispositivos.</p>,
        fields: <NewPasswordFields label="Contraseña nueva" fields={errors} />,
        button: "Guardar la contraseña",
      })}
    />
  );
}
