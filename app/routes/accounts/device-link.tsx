import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { type SaidError, wordsOf } from "#app/lib/page-error.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { KeyOnSeat } from "#app/ui/seat-objects.tsx";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/device-link.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Entrar desde este navegador · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it. Not "no-referrer": with it a form without JavaScript is sent with
// "Origin: null", which is refused.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

export async function loader(args: Route.LoaderArgs) {
  const token = new URL(args.request.url).searchParams.get("token") ?? "";
  const found = await act(args, ({ api }) => api.accounts.deviceLink({ token }));
  // A link that leads nowhere is a page of its own, with its status.
  return "done" in found ? { token } : found;
}

export async function action(args: Route.ActionArgs) {
  const { token = "" } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    await here.api.accounts.applyDeviceLink({ token });
    announce(here, "device_known");
    throw redirect("/auth");
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Where the link of the mail about strangers' attempts leads. A button does it, not the opening: programs that look into mails open links too. */
export default function DeviceLink({ loaderData, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  // The token leaves the address bar and the history; the form keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form brings the address back
  useEffect(() => {
    history.replaceState(history.state, "", "/auth/navegador");
  }, [key]);

  if (!("token" in loaderData)) return <NoLink refused={refusalIn(loaderData)!} />;
  if (refused?.code === "link_expired") return <NoLink refused={refused} />;
  const words = refused && wordsOf(refused);
  return (
    <Nook title="Entrar desde este navegador" seat={<KeyOnSeat />}>
      <NookCard>
        <p>
          Tu cuenta conocerá este navegador, y podrás entrar en él aunque otras personas prueben contraseñas con tu
          correo. Enseguida te pediremos tu contraseña, como siempre.
        </p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            {words.description}
          </FormMessage>
        )}
        <Form method="post">
          <input type="hidden" name="token" value={loaderData.token} />
          <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Guardando…">
            Entrar desde este navegador
          </Button>
        </Form>
        <p className="soft">
          Si no estabas intentando entrar, cierra esta página: no cambia nada y nadie ha entrado en tu cuenta.
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
            ? "Los enlaces para entrar desde un navegador nuevo sirven una sola vez, durante 24 horas. Si no puedes entrar, elige una contraseña nueva: después podrás hacerlo enseguida."
            : description}
        </p>
        <p>
          <ButtonLink to="/auth/recuperar">Elegir una contraseña nueva</ButtonLink>
        </p>
      </NookCard>
    </Nook>
  );
}
