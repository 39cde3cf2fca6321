import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { AccountFields, TypeChoice } from "#app/accounts/registration/registration-form.tsx";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { refusalWords } from "#app/lib/error-messages.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { LetterOnSeat } from "#app/ui/seat-objects.tsx";
import type { PendingConfirmationView } from "#shared/accounts.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/confirm-registration.ts";

/** What was typed, by field; passwords never travel back. */
type Typed = Record<string, string>;

export const meta: Route.MetaFunction = () => [
  { title: `Confirmar mi correo · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it. Not "no-referrer": with it a form without JavaScript is sent with
// "Origin: null", which is refused.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

export async function loader(args: Route.LoaderArgs) {
  const parameters = new URL(args.request.url).searchParams;
  const token = parameters.get("token") ?? "";
  const waiting = await act(args, ({ api }) => api.accounts.pendingConfirmation({ token }));
  // A link that leads nowhere is a page of its own, with its status.
  return "full_name" in waiting ? { ...waiting, token, type: parameters.get("tipo") } : waiting;
}

export async function action(args: Route.ActionArgs) {
  const { token = "", password, confirm_password, ...typed } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    const { return_to } = await here.api.accounts.confirm({
      ...typed,
      token,
      password,
      confirm_password,
    } as Parameters<typeof here.api.accounts.confirm>[0]);
    announce(here, "account_confirmed");
    throw redirect(return_to);
  });
  return data({ ...answer.data, typed: typed as Typed, at: page(args).now.getTime() }, answer.init ?? undefined);
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
  const words = refused && refusalWords(refused);
  const { registration } = loaderData;
  return (
    <Nook title={registration ? "Termina tu registro" : `Hola, ${loaderData.full_name}`} seat={<LetterOnSeat />}>
      <NookCard>
        <p>
          {registration
            ? "Este enlace se ha abierto en un navegador distinto del que hizo el registro. Revisa los datos, corrígelos si hace falta y elige una contraseña nueva: la que se escribió antes no sirve."
            : "Un toque más y tu cuenta queda lista."}
        </p>
        {registration && (
          <p>
            La cuenta será de <b>{loaderData.email}</b>. Si esa dirección no es tuya, cierra esta página: quien lee ese
            correo podría entrar en la cuenta.
          </p>
        )}
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            {words.description}
          </FormMessage>
        )}
        <Form method="post" className="stack stack--page">
          <input type="hidden" name="token" value={loaderData.token} />
          {registration && (
            <Registration
              waiting={{ ...registration, full_name: loaderData.full_name }}
              token={loaderData.token}
              chosenType={loaderData.type}
              typed={actionData?.typed}
              fields={refused?.fields ?? {}}
            />
          )}
          <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Confirmando…">
            Confirmar mi correo
          </Button>
        </Form>
        <p className="soft">Si no quieres una cuenta, cierra esta página: sin confirmar no existe ninguna.</p>
      </NookCard>
    </Nook>
  );
}

/** Everything that a stranger may have filled in, for the owner of the mailbox to decide. */
function Registration({
  waiting,
  token,
  chosenType,
  typed,
  fields,
}: {
  waiting: NonNullable<PendingConfirmationView["registration"]> & { full_name: string };
  token: string;
  chosenType: string | null;
  typed: Typed | undefined;
  fields: Record<string, string>;
}) {
  const { user_type, ...said } = waiting;
  const psychologist = chosenType ? chosenType === "psicologo" : user_type === "psychologist";
  const type = psychologist ? "psychologist" : "user";
  const before = Object.fromEntries(
    Object.entries(said).filter((entry): entry is [string, string] => entry[1] !== null),
  );
  const address = (tipo: string) => `/auth/confirmar?${new URLSearchParams({ token, tipo })}`;
  return (
    <>
      <TypeChoice type={type} user={address("usuario")} psychologist={address("psicologo")} />
      <input type="hidden" name="user_type" value={type} />
      <AccountFields typed={typed ?? before} fields={fields} psychologist={psychologist} />
    </>
  );
}

function NoLink({ body }: { body: ReturnType<typeof refusalIn> }) {
  const { title, description } = refusalWords(body ?? { code: "link_expired" });
  const expired = !body || body.code === "link_expired";
  return (
    <Nook title={title}>
      <NookCard>
        <p>
          {expired
            ? "Los enlaces para confirmar sirven una sola vez, durante 24 horas. Si ya has confirmado tu correo, inicia sesión; si no, regístrate otra vez: toma un minuto."
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
      </NookCard>
    </Nook>
  );
}
