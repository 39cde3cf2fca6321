import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { type SaidError, wordsOf } from "#app/lib/page-error.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { LetterOnSeat } from "#app/ui/seat-objects.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/email-link.ts";

export const meta: Route.MetaFunction = () => [
  { title: `El correo de tu cuenta · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it. Not "no-referrer": with it a form without JavaScript is sent with
// "Origin: null", which is refused.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

export async function loader(args: Route.LoaderArgs) {
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  const found = await act(args, ({ api }) => api.accounts.emailLink({ token }));
  // A link that leads nowhere is a page of its own, with its status.
  return "purpose" in found ? { ...found, token } : found;
}

export async function action(args: Route.ActionArgs) {
  const { token = "" } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    const { purpose } = await here.api.accounts.applyEmailLink({ token });
    announce(here, purpose === "undo" ? "email_restored" : "email_changed");
    throw redirect(here.viewer() ? "/cuenta" : "/auth");
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Where the links of mails about an address lead. A button does it, not the opening: programs that look into mails open links too. */
export default function EmailLink({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  // The token leaves the address bar and the history; the form keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form brings the address back
  useEffect(() => {
    history.replaceState(history.state, "", "/cuenta/correo");
  }, [key]);

  if (!("purpose" in loaderData)) return <NoLink refused={refusalIn(loaderData)!} />;
  if (refused?.code === "link_expired") return <NoLink refused={refused} />;
  const words = refused && wordsOf(refused);
  const undo = loaderData.purpose === "undo";
  return (
    <Nook title={undo ? "Volver al correo de antes" : "Confirma tu correo nuevo"} seat={<LetterOnSeat />}>
      <NookCard>
        <p>
          {undo ? "Tu cuenta volverá a usar " : "Tu cuenta usará "}
          <b>{loaderData.email}</b>.{" "}
          {undo
            ? "Cerraremos todas las sesiones y te enviaremos un enlace para elegir una contraseña nueva: la de ahora dejará de servir."
            : "La dirección anterior recibirá un aviso."}
        </p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            {words.description}
          </FormMessage>
        )}
        <Form method="post">
          <input type="hidden" name="token" value={loaderData.token} />
          <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Guardando…">
            {undo ? "Volver a este correo" : "Usar este correo"}
          </Button>
        </Form>
        <p className="soft">
          {undo
            ? "Si fuiste tú quien cambió el correo, cierra esta página: todo queda como está."
            : "Si no lo has pedido, cierra esta página: no cambia nada."}
        </p>
      </NookCard>
    </Nook>
  );
}

function NoLink({ refused }: { refused: SaidError }) {
  const { title, description } = wordsOf(refused);
  return (
    <Nook title={title}>
      <NookCard>
        <p>
          {refused.code === "link_expired"
            ? "Los enlaces para confirmar un correo sirven una sola vez, durante 24 horas; los que deshacen un cambio, durante 7 días. En tu cuenta ves qué correo usa ahora."
            : description}
        </p>
        <p>
          <ButtonLink to="/cuenta">Ir a mi cuenta</ButtonLink>
        </p>
      </NookCard>
    </Nook>
  );
}
