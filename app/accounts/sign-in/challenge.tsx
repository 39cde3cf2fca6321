import { Link, redirect } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { getPageContext } from "#app/lib/page-request.server.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { LIMITS } from "#shared/limits.ts";
import { safeRedirectAfterSignIn } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/challenge.ts";
import { PausedSignInHelp } from "./paused-sign-in-help.tsx";

export const meta: Route.MetaFunction = () => pageMeta("Segundo paso");

export function loader(args: Route.LoaderArgs) {
  const to = safeRedirectAfterSignIn(args.url.searchParams.get("volver"));
  const { viewer, cookies } = getPageContext(args);
  if (viewer()) throw redirect(to);
  if (!cookies.get("challenge")) throw redirect(signInPath(to));
  return { returnTo: to };
}

export const action = formAction(async ({ api, fields, input, leave }) => {
  await api.secondFactor.signIn(input("code"));
  return leave(safeRedirectAfterSignIn(fields.return_to), "welcome");
});

export default function Challenge({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const form = useForm(actionData);
  return (
    <CenteredPage title="Un paso más" illustration="phone">
      <CenteredPageCard>
        <p className="text-muted">Escribe el código de 6 números que muestra ahora tu aplicación.</p>
        <FormError form={form}>{form.error?.code === "sign_in_paused" && <PausedSignInHelp />}</FormError>
        {form.error?.code === "second_factor_expired" ? (
          <p>
            <ButtonLink to={signInPath(returnTo)}>Iniciar Sesión</ButtonLink>
          </p>
        ) : (
          <ActionForm fields={{ return_to: returnTo }} className="stack stack--page">
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
              error={form.errors.code}
            />
            <SubmitButton wide busyText="Comprobando…">
              Entrar
            </SubmitButton>
          </ActionForm>
        )}
      </CenteredPageCard>
      <p className="text-muted small centered-page__note">
        ¿Has perdido el teléfono y los códigos? <Link to="/contacto">Escríbenos</Link> y veremos cómo recuperar tu
        cuenta.
      </p>
    </CenteredPage>
  );
}
