import { data, Form, Link, useNavigation } from "react-router";
import { act, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { refusalWords } from "#app/lib/error-messages.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { BackIcon, MailIcon } from "#app/ui/icon.tsx";
import { Panel } from "#app/ui/panel.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/request-recovery.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Recuperar la contraseña · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export const loader = (args: Route.LoaderArgs) => ({
  demo: page(args).demo,
  sent: new URL(args.request.url).searchParams.has("enviado"),
});

export async function action(args: Route.ActionArgs) {
  const { email = "" } = fieldsOf(args);
  const answer = await act(args, async ({ api }) => {
    await api.accounts.requestRecovery({ email });
    throw redirect("/auth/recuperar?enviado=1");
  });
  return data({ ...answer.data, email, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Asks for the mail that leads to a new password; the answer never tells whether the address has an account. */
export default function RequestRecovery({ loaderData: { demo, sent }, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  const words = refused && refusalWords(refused);
  return (
    <main id="contenido" className="page split section">
      <div className="max-w-[42rem]">
        <Link className="golink" to="/auth">
          <BackIcon size="s" />
          Iniciar Sesión
        </Link>
        <h1 className="h-xl mt-[.5rem]">Recuperar la contraseña</h1>
        {sent && !refused ? (
          <div className="stack mt-[1.5rem]">
            <FormMessage tone="ok" title="Revisa tu correo">
              Si esa dirección tiene una cuenta, le enviamos un enlace para elegir una contraseña nueva. Sirve una sola
              vez, durante 60 minutos.
            </FormMessage>
            <p className="soft">Puede tardar unos minutos. Mira también en la carpeta de correo no deseado.</p>
            <p className="row">
              {demo && (
                <ButtonLink to="/correo" variant="soft" icon={<MailIcon size="s" />}>
                  Abrir los correos de la demostración
                </ButtonLink>
              )}
              <ButtonLink to="/auth/recuperar" variant="quiet">
                Pedirlo otra vez
              </ButtonLink>
            </p>
          </div>
        ) : (
          <>
            <p className="soft mt-[.4rem]">
              Escribe el correo con el que te registraste y te enviamos un enlace para elegir una contraseña nueva.
            </p>
            {words && (
              <FormMessage key={actionData?.at} title={words.title} className="mt-[1.5rem]">
                {words.description}
              </FormMessage>
            )}
            <Form method="post" action="/auth/recuperar" className="stack mt-[1.5rem] [--gap:1.25rem]">
              <TextInput
                label="Correo electrónico"
                id="email"
                name="email"
                type="email"
                inputMode="email"
                autoComplete="username"
                autoCapitalize="none"
                spellCheck={false}
                required
                maxLength={LIMITS.email.max}
                defaultValue={actionData?.email}
                error={refused?.fields?.email}
              />
              <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Enviando…">
                Enviar el enlace
              </Button>
            </Form>
          </>
        )}
      </div>
      <aside className="aside" aria-label="Otras formas de entrar">
        <Panel title="Si no es la contraseña">
          <dl className="stack mt-[.75rem]">
            <div>
              <dt className="soft">No has confirmado tu correo</dt>
              <dd>
                <Link to="/auth/revisa-tu-correo">Enviar el mensaje otra vez</Link>
              </dd>
            </div>
            <div>
              <dt className="soft">No recuerdas con qué correo te registraste</dt>
              <dd>
                <Link to="/contacto">Escríbenos</Link>
              </dd>
            </div>
            <div>
              <dt className="soft">Todavía no tienes cuenta</dt>
              <dd>
                <Link to="/auth?modo=registro">Registrarse</Link>
              </dd>
            </div>
          </dl>
        </Panel>
      </aside>
    </main>
  );
}
