import { Form, Link, redirect } from "react-router";
import { PausedWays } from "#app/accounts/sign-in/paused-ways.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import { act, announce, fieldsOf, page, refusedForm } from "#app/lib/page-request.server.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { RefusalMessage } from "#app/parts/refusal-message.tsx";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { Nook, NookCard } from "#app/ui/nook.tsx";
import { PhoneOnSeat } from "#app/ui/seat-objects.tsx";
import { LIMITS } from "#shared/limits.ts";
import { returnPath } from "#shared/return-path.ts";
import type { Route } from "./+types/challenge.ts";

export const meta: Route.MetaFunction = () => pageMeta("Segundo paso");

export function loader(args: Route.LoaderArgs) {
  const to = returnPath(args.url.searchParams.get("volver"));
  const { viewer, cookies } = page(args);
  if (viewer()) throw redirect(to);
  // Redirects if this browser has no valid challenge.
  if (!cookies.get("challenge")) throw redirect(signInPath(to));
  return { returnTo: to };
}

export async function action(args: Route.ActionArgs) {
  const { code = "", return_to } = fieldsOf(args);
  const result = await act(args, async (here) => {
    await here.api.secondFactor.signIn({ code });
    announce(here, "welcome");
    throw redirect(returnPath(return_to));
  });
  return refusedForm(args, result);
}

/** Second factor at sign-in: a code of the authenticator app, or a recovery code. */
export default function Challenge({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const refused = refusalIn(actionData);
  const submitting = useSubmitting();
  return (
    <Nook title="Un paso más" seat={<PhoneOnSeat />}>
      <NookCard>
        <p className="soft">Escribe el código de 6 números que muestra ahora tu aplicación.</p>
        <RefusalMessage result={actionData}>{refused?.code === "sign_in_paused" && <PausedWays />}</RefusalMessage>
        {refused?.code === "second_factor_expired" ? (
          <p>
            <ButtonLink to={signInPath(returnTo)}>Iniciar Sesión</ButtonLink>
          </p>
        ) : (
          <Form noValidate method="post" className="stack stack--page">
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
            <Button type="submit" wide busy={submitting} busyText="Comprobando…">
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
