import { useEffect } from "react";
import { data, Form, useLocation, useNavigation } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { errorWords, refusalWords } from "#app/lib/error-messages.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { PasswordInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { PadlockOnSeat } from "#app/ui/seat-objects.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import type { Route } from "./+types/new-password.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Elegir una contraseña nueva · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
  { name: "referrer", content: "same-origin" },
];

// The address holds the token: no other site may learn it. Not "no-referrer": with it a form without JavaScript is sent with
// "Origin: null", which is refused.
export const headers: Route.HeadersFunction = () => ({ "Referrer-Policy": "same-origin", "X-Robots-Tag": "noindex" });

export const loader = ({ request }: Route.LoaderArgs) => ({
  token: new URL(request.url).searchParams.get("token") ?? "",
});

export async function action(args: Route.ActionArgs) {
  const { token = "", password = "", confirm_password = "" } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    await here.api.accounts.recover({ token, password, confirm_password });
    announce(here, "password_changed");
    throw redirect("/auth");
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** Where the link of the recovery mail leads. */
export default function NewPassword({ loaderData: { token }, actionData }: Route.ComponentProps) {
  const { key } = useLocation();
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  // The token leaves the address bar and the history; the form keeps it.
  // biome-ignore lint/correctness/useExhaustiveDependencies: sending the form brings the address back
  useEffect(() => {
    history.replaceState(history.state, "", "/auth/nueva-contrasena");
  }, [key]);

  // Other tabs ask who is signed in when this begins, and again when it is done: then nobody is.
  const { recovering } = useAuth();
  useEffect(() => {
    recovering();
    return recovering;
  }, [recovering]);

  if (!token || refused?.code === "link_expired") return <NoLink />;
  const words = refused && refusalWords(refused);
  return (
    <Nook title="Elige una contraseña nueva" seat={<PadlockOnSeat />}>
      <NookCard>
        <p className="soft">Al guardarla se cierra la sesión en todos tus dispositivos.</p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            {words.description}
          </FormMessage>
        )}
        <Form method="post" className="stack stack--page">
          <input type="hidden" name="token" value={token} />
          <PasswordInput
            label="Contraseña nueva"
            id="password"
            name="password"
            autoComplete="new-password"
            required
            minLength={LIMITS.password.min}
            maxLength={LIMITS.password.max}
            hint={`Al menos ${LIMITS.password.min} caracteres, sin tu nombre ni tu correo.`}
            error={refused?.fields?.password}
          />
          <PasswordInput
            label="Confirmar contraseña"
            id="confirm_password"
            name="confirm_password"
            autoComplete="new-password"
            required
            maxLength={LIMITS.password.max}
            error={refused?.fields?.confirm_password}
          />
          <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Guardando…">
            Guardar la contraseña
          </Button>
        </Form>
      </NookCard>
    </Nook>
  );
}

function NoLink() {
  return (
    <Nook title={errorWords("link_expired").title}>
      <NookCard>
        <p>
          Los enlaces para elegir una contraseña sirven una sola vez, durante 60 minutos. Tu contraseña sigue siendo la
          de antes; pide otro enlace y ábrelo pronto.
        </p>
        <div className="row">
          <ButtonLink to="/auth/recuperar">Pedir otro enlace</ButtonLink>
          <ButtonLink to="/auth" variant="soft">
            Iniciar Sesión
          </ButtonLink>
        </div>
      </NookCard>
    </Nook>
  );
}
