import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { errorWords } from "#app/lib/error-messages.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { EmptyCouch } from "#app/ui/drawings.tsx";
import { PasswordInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/confirm-registration.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Confirmar mi correo · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it. Not "no-referrer": with it a form without JavaScript is sent with
// "Origin: null", which is refused.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

export async function loader(args: Route.LoaderArgs) {
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  const waiting = await act(args, ({ api }) => api.accounts.pendingConfirmation({ token }));
  // A link that leads nowhere is a page of its own, with its status.
  return "full_name" in waiting ? { ...waiting, token } : waiting;
}

export async function action(args: Route.ActionArgs) {
  const { token = "", password } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    const { return_to } = await here.api.accounts.confirm({ token, password });
    announce(here, "account_confirmed");
    throw redirect(return_to);
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Confirms with a button, not by opening the link: programs that look into mails open links too. */
export default function ConfirmRegistration({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  // The token leaves the address bar and the history; the form keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form brings the address back
  useEffect(() => {
    history.replaceState(history.state, "", "/auth/confirmar");
  }, [key]);

  if (!("full_name" in loaderData)) return <NoLink body={refusalIn(loaderData)} />;
  if (refused?.code === "link_expired") return <NoLink body={refused} />;
  const words = refused && errorWords(refused.code, refused.facts);
  const asksPassword = !loaderData.same_browser;
  return (
    <main id="contenido" className="page section">
      <div className="max-w-[34rem]">
        <h1 className="h-xl">Hola, {loaderData.full_name}</h1>
        <p className="mt-[.75rem]">
          {asksPassword
            ? "Abriste el enlace en otro navegador. Escribe la contraseña con la que te registraste y confirma tu correo."
            : "Un toque más y tu cuenta queda lista."}
        </p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title} className="mt-[1.5rem]">
            {words.description}
          </FormMessage>
        )}
        <Form method="post" className="stack mt-[1.5rem] [--gap:1.25rem]">
          <input type="hidden" name="token" value={loaderData.token} />
          {asksPassword && (
            <PasswordInput
              label="Contraseña"
              id="password"
              name="password"
              autoComplete="current-password"
              required
              maxLength={LIMITS.password.max}
              error={refused?.fields?.password}
            />
          )}
          <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Confirmando…">
            Confirmar mi correo
          </Button>
        </Form>
        <p className="soft mt-[1.25rem]">
          Si no fuiste tú quien se registró, cierra esta página: sin confirmar no existe ninguna cuenta.
        </p>
      </div>
    </main>
  );
}

function NoLink({ body }: { body: ReturnType<typeof refusalIn> }) {
  const { title, description } = errorWords(body?.code ?? "link_expired", body?.facts);
  const expired = !body || body.code === "link_expired";
  return (
    <main id="contenido" className="page section">
      <div className="empty max-w-[42rem]">
        <EmptyCouch />
        <h1 className="h-l">{title}</h1>
        <p>
          {expired
            ? "Los enlaces para confirmar sirven una sola vez, durante 24 horas. Si ya confirmaste tu correo, inicia sesión; si no, regístrate otra vez: toma un minuto."
            : description}
        </p>
        <div className="row">
          {expired ? (
            <ButtonLink to="/auth?modo=registro">Registrarse</ButtonLink>
          ) : (
            <ButtonLink to="/ayuda">Necesito ayuda ahora</ButtonLink>
          )}
          <ButtonLink to="/auth" variant="soft">
            Iniciar Sesión
          </ButtonLink>
        </div>
      </div>
    </main>
  );
}
