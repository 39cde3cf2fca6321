import { Form, Link, redirect } from "react-router";
import { pageMeta } from "#app/lib/page-meta.ts";
import { act, fieldsOf, page, refusedForm } from "#app/lib/page-request.server.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { EmailInput } from "#app/parts/email-input.tsx";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { BackIcon, MailIcon } from "#app/ui/more-icons.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { NookLinks } from "#app/ui/nook-links.tsx";
import { KeyOnSeat, LetterOnSeat } from "#app/ui/seat-objects.tsx";
import type { Route } from "./+types/request-recovery.ts";

export const meta: Route.MetaFunction = () => pageMeta("Recuperar la contraseña");

export const loader = (args: Route.LoaderArgs) => ({
  showsMails: page(args).showsMails,
  sent: args.url.searchParams.has("enviado"),
});

export async function action(args: Route.ActionArgs) {
  const { email = "" } = fieldsOf(args);
  const result = await act(args, async ({ api }) => {
    await api.accounts.requestRecovery({ email });
    throw redirect("/auth/recuperar?enviado=1");
  });
  return refusedForm(args, result, { email });
}

/** Requests the recovery mail. The response never reveals whether the email has an account. */
export default function RequestRecovery({ loaderData: { showsMails, sent }, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const submitting = useSubmitting();
  return (
    <Nook
      title="Recuperar la contraseña"
      seat={sent && !refused ? <LetterOnSeat /> : <KeyOnSeat />}
      before={
        <Link className="icon-link" to="/auth">
          <BackIcon size="s" />
          Iniciar Sesión
        </Link>
      }
    >
      <NookCard>
        {sent && !refused ? (
          <>
            <FormMessage tone="ok" title="Revisa tu correo">
              Si esa dirección tiene una cuenta, le enviamos un enlace para elegir una contraseña nueva. Sirve una sola
              vez, durante 60 minutos.
            </FormMessage>
            <p className="soft">Puede tardar unos minutos. Mira también en la carpeta de correo no deseado.</p>
            <p className="row">
              {showsMails && (
                <ButtonLink to="/correo" variant="soft" icon={<MailIcon size="s" />}>
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
            <p className="soft">
              Escribe el correo con el que te registraste y te enviamos un enlace para elegir una contraseña nueva.
            </p>
            <RefusalMessage result={actionData} />
            <Form noValidate method="post" action="/auth/recuperar" className="stack stack--page">
              <EmailInput autoComplete="username" defaultValue={actionData?.email} error={refused?.fields?.email} />
              <Button type="submit" wide busy={submitting} busyText="Enviando…">
                Enviar el enlace
              </Button>
            </Form>
          </>
        )}
      </NookCard>
      <NookLinks
        title="Si no es la contraseña"
        links={[
          { when: "¿No has confirmado tu correo?", to: "/auth/revisa-tu-correo", what: "Enviar el mensaje otra vez" },
          { when: "No recuerdas con qué correo te registraste", to: "/contacto", what: "Escríbenos" },
          { when: "¿Todavía no tienes cuenta?", to: "/auth?modo=registro", what: "Registrarse" },
        ]}
      />
    </Nook>
  );
}
