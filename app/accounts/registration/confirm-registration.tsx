import { MailedLinkPage, mailedLinkHeaders, mailedLinkMeta } from "#app/components/mailed-link.tsx";
import { formAction, typedIn } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/confirm-registration.ts";
import { AccountFields, CHOOSE_TYPE, TypeChoice } from "./registration-form.tsx";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Confirmar mi correo");
export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, async ({ api }, token) => {
    const pending = await api.accounts.pendingConfirmation({ token });
    const chosen = args.url.searchParams.get("tipo");
    const psychologist = chosen ? chosen === "psicologo" : pending.registration?.user_type === "psychologist";
    return { ...pending, psychologist };
  });

const pathFor = (token: string, tipo: string) => `/auth/confirmar?${new URLSearchParams({ token, tipo })}`;

export const action = formAction(async ({ api, fields, input, leave }) => {
  if (CHOOSE_TYPE in fields) return { typed: typedIn(fields) };
  const { return_to } = await api.accounts.confirm(input());
  return leave(return_to, "account_confirmed");
});

export default function ConfirmRegistration(shown: Route.ComponentProps) {
  return (
    <MailedLinkPage
      {...shown}
      expired="Los enlaces para confirmar sirven una sola vez, durante 24 horas. Si ya has confirmado tu correo, inicia sesión; si no, regístrate otra vez: toma un minuto."
      ways={({ code }) => [
        code === "link_expired" ? ["Registrarse", "/auth?modo=registro"] : ["Necesito ayuda ahora", "/ayuda"],
        ["Iniciar Sesión", "/auth"],
      ]}
      content={({ registration, full_name, email, psychologist, token }, form) => ({
        title: registration ? "Termina tu registro" : `Hola, ${full_name}`,
        illustration: "letter",
        text: registration ? (
          <>
            <p>
              Este enlace se ha abierto en un navegador distinto del que hizo el registro. Revisa los datos, corrígelos
              si hace falta y elige una contraseña nueva: la que se escribió antes no sirve.
            </p>
            <p>
              La cuenta será de <b>{email}</b>. Si esa dirección no es tuya, cierra esta página: quien lee ese correo
              podría entrar en la cuenta.
            </p>
          </>
        ) : (
          <p>Un toque más y tu cuenta queda lista.</p>
        ),
        // The owner of the mailbox corrects the data, because another person may have entered it.
        fields: registration && (
          <>
            <TypeChoice
              type={psychologist ? "psychologist" : "user"}
              user={pathFor(token, "usuario")}
              psychologist={pathFor(token, "psicologo")}
            />
            <input type="hidden" name="user_type" value={psychologist ? "psychologist" : "user"} />
            <AccountFields
              form={{ ...form, typed: form.typed ?? { ...registration, full_name } }}
              psychologist={psychologist}
            />
          </>
        ),
        button: "Confirmar mi correo",
        busyText: "Confirmando…",
        note: "Si no quieres una cuenta, cierra esta página: sin confirmar no existe ninguna.",
      })}
    />
  );
}
