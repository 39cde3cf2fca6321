import { EmailInput } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { BackLink } from "#app/ui/back-link.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { CenteredPageLinks } from "#app/ui/centered-page-links.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { Route } from "./+types/request-recovery.ts";

export const meta: Route.MetaFunction = () => pageMeta("Recuperar la contraseña");

export const loader = (args: Route.LoaderArgs) => ({
  showsMails: getPageContext(args).showsMails,
  sent: args.url.searchParams.has("enviado"),
});

export const action = formAction(async ({ api, input, leave }) => {
  await api.accounts.requestRecovery(input("email"));
  return leave("/auth/recuperar?enviado=1");
});

/** The response never reveals whether the email has an account. */
export default function RequestRecovery({ loaderData: { showsMails, sent }, actionData }: Route.ComponentProps) {
  const form = useForm(actionData);
  return (
    <CenteredPage
      title="Recuperar la contraseña"
      illustration={sent && !form.error ? "letter" : "key"}
      before={<BackLink to="/auth">Iniciar Sesión</BackLink>}
    >
      <CenteredPageCard>
        {sent && !form.error ? (
          <>
            <FormMessage tone="ok" title="Revisa tu correo">
              Si esa dirección tiene una cuenta, le enviamos un enlace para elegir una contraseña nueva. Sirve una sola
              vez, durante 60 minutos.
            </FormMessage>
            <p className="text-muted">Puede tardar unos minutos. Mira también en la carpeta de correo no deseado.</p>
            <p className="row">
              {showsMails && (
                <ButtonLink to="/correo" variant="soft" icon={<Icon name="mail" size="s" />}>
                  Abrir los correos de la demostración
                </ButtonLink>
              )}
              <ButtonLink to="/auth/recuperar" variant="quiet">
                Pedirlo otra vez
              </ButtonLink>
            </p>
          </>
        ) : (
          <>
            <p className="text-muted">
              Escribe el correo con el que te registraste y te enviamos un enlace para elegir una contraseña nueva.
            </p>
            <FormError form={form} />
            <ActionForm action="/auth/recuperar" className="stack stack--page">
              <EmailInput autoComplete="username" {...fieldOf(form, "email")} />
              <SubmitButton wide busyText="Enviando…">
                Enviar el enlace
              </SubmitButton>
            </ActionForm>
          </>
        )}
      </CenteredPageCard>
      <CenteredPageLinks
        title="Si no es la contraseña"
        links={[
          { when: "¿No has confirmado tu correo?", to: "/auth/revisa-tu-correo", what: "Enviar el mensaje otra vez" },
          { when: "No recuerdas con qué correo te registraste", to: "/contacto", what: "Escríbenos" },
          { when: "¿Todavía no tienes cuenta?", to: "/auth?modo=registro", what: "Registrarse" },
        ]}
      />
    </CenteredPage>
  );
}
