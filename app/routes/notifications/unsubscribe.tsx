import { data, Form, useNavigation } from "react-router";
import { act } from "#app/lib/api.server.ts";
import { wordsOf } from "#app/lib/page-error.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { CupOnSeat, LetterOnSeat } from "#app/ui/seat-objects.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/unsubscribe.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Dejar los avisos · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

/** Ends the mails for who sends the form of this page, and for mail programs that post to its address (RFC 8058). */
export async function action(args: Route.ActionArgs) {
  const answer = await act(args, async ({ api }) => {
    await api.accounts.unsubscribe({ token: args.params.token });
    return { done: true as const };
  });
  return "done" in answer ? answer : data(answer.data, answer.init ?? undefined);
}

/** Where the link of a mail about answers leads. A button does it: programs that look into mails open links too. */
export default function Unsubscribe({ actionData }: Route.ComponentProps) {
  const { state, formMethod } = useNavigation();
  const refused = refusalIn(actionData);
  if (actionData && "done" in actionData)
    return (
      <Nook title="Listo: no te enviaremos más avisos" seat={<CupOnSeat />}>
        <NookCard>
          <p>No te escribiremos cuando haya novedades. Puedes volver a activar los avisos en Mi Perfil.</p>
          <p>
            <ButtonLink to="/perfil#avisos" variant="soft">
              Ir a Mi Perfil
            </ButtonLink>
          </p>
        </NookCard>
      </Nook>
    );
  const expired = refused?.code === "link_expired";
  return (
    <Nook
      title={expired ? "Este enlace ya no sirve" : "¿Dejar de recibir estos avisos?"}
      seat={expired ? null : <LetterOnSeat />}
    >
      <NookCard>
        {refused && !expired && (
          <FormMessage title={wordsOf(refused).title}>{wordsOf(refused).description}</FormMessage>
        )}
        {expired ? (
          <>
            <p>
              La cuenta ya no existe o los avisos se han vuelto a activar después de ese correo. En Mi Perfil puedes ver
              cómo están.
            </p>
            <p>
              <ButtonLink to="/perfil#avisos">Ir a Mi Perfil</ButtonLink>
            </p>
          </>
        ) : (
          <>
            <p>
              Si confirmas, no te escribiremos más cuando haya novedades en tu cuenta. No hace falta iniciar sesión.
            </p>
            <Form method="post">
              <Button type="submit" busy={state !== "idle" && formMethod === "POST"} busyText="Guardando…">
                No quiero más avisos
              </Button>
            </Form>
            <p className="soft">Los correos sobre la seguridad de tu cuenta siguen llegando.</p>
          </>
        )}
      </NookCard>
    </Nook>
  );
}
