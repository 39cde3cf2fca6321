import { useForm } from "#app/components/action-form.tsx";
import {
  InvalidLinkPage,
  MailedLinkForm,
  mailedLinkHeaders,
  mailedLinkMeta,
  useMailedLink,
} from "#app/components/mailed-link.tsx";
import { formAction, typedIn } from "#app/lib/form-action.server.ts";
import { loadMailedLink } from "#app/lib/page-request.server.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";
import type { Route } from "./+types/confirm-registration.ts";
import { AccountFields, CHOOSE_TYPE, TypeChoice } from "./registration-form.tsx";

export const meta: Route.MetaFunction = () => mailedLinkMeta("Confirmar mi correo");
export const headers = mailedLinkHeaders;

export const loader = (args: Route.LoaderArgs) =>
  loadMailedLink(args, async ({ api }, token) => ({
    ...(await api.accounts.pendingConfirmation({ token })),
    type: args.url.searchParams.get("tipo"),
  }));

export const action = formAction(async ({ api, fields, input, leave }) => {
  if (CHOOSE_TYPE in fields) return { typed: typedIn(fields) };
  const { return_to } = await api.accounts.confirm(input());
  return leave(return_to, "account_confirmed");
});

/** Page of the confirmation mail. */
export default function ConfirmRegistration({ loaderData, actionData }: Route.ComponentProps) {
  const { link, dead } = useMailedLink(loaderData, actionData);
  const form = useForm(actionData);
  if (!link)
    return (
      <InvalidLinkPage
        actionError={dead}
        expired="Los enlaces para confirmar sirven una sola vez, durante 24 horas. Si ya has confirmado tu correo, inicia sesión; si no, regístrate otra vez: toma un minuto."
      >
        <div className="row">
          {dead.code === "link_expired" ? (
            <ButtonLink to="/auth?modo=registro">Registrarse</ButtonLink>
          ) : (
            <ButtonLink to="/ayuda">Necesito ayuda ahora</ButtonLink>
          )}
          <ButtonLink to="/auth" variant="soft">
            Iniciar Sesión
          </ButtonLink>
        </div>
      </InvalidLinkPage>
    );
  const { registration, full_name, token } = link;
  const psychologist = link.type ? link.type === "psicologo" : registration?.user_type === "psychologist";
  const type = psychologist ? "psychologist" : "user";
  const before = { ...registration, full_name };
  const address = (tipo: string) => `/auth/confirmar?${new URLSearchParams({ token, tipo })}`;
  return (
    <CenteredPage title={registration ? "Termina tu registro" : `Hola, ${full_name}`} illustration="letter" card>
      <p>
        {registration
          ? "Este enlace se ha abierto en un navegador distinto del que hizo el registro. Revisa los datos, corrígelos si hace falta y elige una contraseña nueva: la que se escribió antes no sirve."
          : "Un toque más y tu cuenta queda lista."}
      </p>
      {registration && (
        <p>
          La cuenta será de <b>{link.email}</b>. Si esa dirección no es tuya, cierra esta página: quien lee ese correo
          podría entrar en la cuenta.
        </p>
      )}
      <MailedLinkForm
        token={token}
        result={actionData}
        button="Confirmar mi correo"
        busyText="Confirmando…"
        className="stack stack--page"
      >
        {/* The owner of the mailbox corrects the data, because another person may have entered it. */}
        {registration && (
          <>
            <TypeChoice type={type} user={address("usuario")} psychologist={address("psicologo")} />
            <input type="hidden" name="user_type" value={type} />
            <AccountFields form={{ ...form, typed: form.typed ?? before }} psychologist={psychologist} />
          </>
        )}
      </MailedLinkForm>
      <p className="text-muted">Si no quieres una cuenta, cierra esta página: sin confirmar no existe ninguna.</p>
    </CenteredPage>
  );
}
