import { Link, redirect } from "react-router";
import { EmailInput } from "#app/components/account-fields.tsx";
import { ActionForm, FormError, fieldOf, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { safeRedirect } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/check-mail.ts";
import { clearCheckMailCookie, readCheckMailCookie, setCheckMailCookie } from "./check-mail-cookie.server.ts";

export const meta: Route.MetaFunction = () => pageMeta("Revisa tu correo");

export function loader(args: Route.LoaderArgs) {
  const ctx = getPageContext(args);
  const { email, returnTo } = readCheckMailCookie(ctx);
  // The account was confirmed in this or another tab, so return to the previous page.
  if (ctx.viewer()) {
    clearCheckMailCookie(ctx);
    throw redirect(returnTo);
  }
  return { email, demo: ctx.demo, showsMails: ctx.showsMails, sent: args.url.searchParams.has("enviado") };
}

export const action = formAction(async (page) => {
  const before = readCheckMailCookie(page);
  const { email = before.email ?? "", return_to } = page.fields;
  await page.api.accounts.resendConfirmation({ email });
  setCheckMailCookie(page, { email, returnTo: return_to ? safeRedirect(return_to) : before.returnTo });
  return page.leave("/auth/revisa-tu-correo?enviado=1");
});

/** Its text is the same whether or not the email has an account. */
export default function CheckMail({ loaderData: { email, demo, showsMails, sent }, actionData }: Route.ComponentProps) {
  // A confirmation in another tab also signs in here. The action then redirects.
  const { viewer } = useAuth();
  const form = useForm(actionData);
  return (
    <CenteredPage title={email && !sent ? "¡Registro exitoso!" : "Revisa tu correo"} illustration="letter">
      <CenteredPageCard>
        <p>
          Revisa tu correo para confirmar la cuenta
          {email && ": hemos enviado un mensaje a "}
          {email && <b>{email}</b>}. Abre el enlace que trae y listo. Sirve durante 24 horas.
        </p>
        <p className="text-muted">Puedes dejar esta página abierta: cuando confirmes, seguirás donde estabas.</p>
        {viewer && <FormMessage tone="ok" title="Tu correo está confirmado" />}
        {demo && (
          <FormMessage tone="info" title="Esto es una demostración">
            Los correos no salen de esta máquina
            {showsMails ? (
              <>
                : <Link to="/correo">ábrelos aquí</Link>.
              </>
            ) : (
              ". Quien la administra puede abrirlos en ella."
            )}
          </FormMessage>
        )}
      </CenteredPageCard>
      <Panel title="¿No ha llegado nada?" className="centered-page__card">
        <p>Puede tardar unos minutos. Mira también en la carpeta de correo no deseado.</p>
        <FormError form={form} />
        {sent && !form.error && (
          <FormMessage tone="ok" title="Solicitud recibida">
            Si esa dirección espera una confirmación, el correo va en camino otra vez.
          </FormMessage>
        )}
        <ActionForm action="/auth/revisa-tu-correo" className="stack">
          {email === null && <EmailInput {...fieldOf(form, "email")} />}
          <SubmitButton variant="soft" busyText="Enviando…">
            Enviar el correo otra vez
          </SubmitButton>
        </ActionForm>
      </Panel>
      <p className="text-muted small centered-page__note">
        Si has escrito mal la dirección, <Link to="/auth?modo=registro">regístrate de nuevo</Link>. Si ya lo has
        confirmado, <Link to="/auth">inicia sesión</Link>.
      </p>
    </CenteredPage>
  );
}
