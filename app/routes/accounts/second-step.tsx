import { data, Form, Link, useNavigation } from "react-router";
import { PausedWays } from "#app/accounts/sign-in/paused-ways.tsx";
import { act, announce, fieldsOf, page, redirect } from "#app/lib/api.server.ts";
import { wordsOf } from "#app/lib/page-error.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { PhoneOnSeat } from "#app/ui/seat-objects.tsx";
import { LIMITS } from "#shared/limits.ts";
import { PRODUCT_NAME } from "#shared/product.ts";
import { returnPath } from "#shared/return-path.ts";
import type { Route } from "./+types/second-step.ts";

export const meta: Route.MetaFunction = () => [
  { title: `Segundo paso · ${PRODUCT_NAME}` },
  { name: "robots", content: "noindex" },
];

export function loader(args: Route.LoaderArgs) {
  const to = returnPath(new URL(args.request.url).searchParams.get("volver"));
  const { viewer, cookies } = page(args);
  if (viewer()) throw redirect(to);
  // Nobody's password was given in this browser.
  if (!cookies.get("challenge")) throw redirect(to === "/" ? "/auth" : `/auth?volver=${encodeURIComponent(to)}`);
  return { returnTo: to };
}

export async function action(args: Route.ActionArgs) {
  const { code = "", return_to } = fieldsOf(args);
  const answer = await act(args, async (here) => {
    await here.api.secondFactor.signIn({ code });
    announce(here, "welcome");
    throw redirect(returnPath(return_to));
  });
  return data({ ...answer.data, at: page(args).now.getTime() }, answer.init ?? undefined);
}

/** After the right password: a code of the application, or a recovery code. */
export default function SecondStep({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const { state, formMethod } = useNavigation();
  const words = refused && wordsOf(refused);
  return (
    <Nook title="Un paso más" seat={<PhoneOnSeat />}>
      <NookCard>
        <p className="soft">Escribe el código de 6 números que muestra ahora tu aplicación.</p>
        {words && (
          <FormMessage key={actionData?.at} title={words.title}>
            <p>{words.description}</p>
            {refused.code === "sign_in_paused" && <PausedWays />}
          </FormMessage>
        )}
        {refused?.code === "second_factor_expired" ? (
          <p>
            <ButtonLink to={returnTo === "/" ? "/auth" : `/auth?volver=${encodeURIComponent(returnTo)}`}>
              Iniciar Sesión
            </ButtonLink>
          </p>
        ) : (
          <Form method="post" className="stack stack--page">
            <input type="hidden" name="return_to" value={returnTo} />
            <TextInput
              label="Código"
              id="code"
              name="code"
              autoComplete="one-time-code"
              autoCapitalize="characters"
              spellCheck={false}
              required
              maxLength={LIMITS.code.max}
              hint="Si no tienes el teléfono, escribe uno de tus códigos de recuperación."
              error={refused?.fields?.code}
            />
            <Button type="submit" wide busy={state !== "idle" && formMethod === "POST"} busyText="Comprobando…">
              Entrar
            </Button>
          </Form>
        )}
      </NookCard>
      <p className="nook__note">
        ¿Has perdido el teléfono y los códigos? <Link to="/contacto">Escríbenos</Link> y veremos cómo recuperar tu
        cuenta.
      </p>
    </Nook>
  );
}
