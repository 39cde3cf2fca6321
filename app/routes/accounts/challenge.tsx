import { Form, Link, redirect } from "react-router";
import { PausedSignInHelp } from "#app/accounts/sign-in/paused-sign-in-help.tsx";
import { ActionErrorMessage } from "#app/components/action-error-message.tsx";
import { getActionError } from "#app/lib/action-error.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { formErrorResponse, formFields, getPageContext, runAction, setFlash } from "#app/lib/page-request.server.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useSubmitting } from "#app/lib/submitting.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage, CenteredPageCard } from "#app/ui/centered-page.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { PhoneIllustration } from "#app/ui/page-illustrations.tsx";
import { LIMITS } from "#shared/limits.ts";
import { safeRedirectAfterSignIn } from "#shared/safe-redirect.ts";
import type { Route } from "./+types/challenge.ts";

export const meta: Route.MetaFunction = () => pageMeta("Segundo paso");

export function loader(args: Route.LoaderArgs) {
  const to = safeRedirectAfterSignIn(args.url.searchParams.get("volver"));
  const { viewer, cookies } = getPageContext(args);
  if (viewer()) throw redirect(to);
  // Redirects if this browser has no valid challenge.
  if (!cookies.get("challenge")) throw redirect(signInPath(to));
  return { returnTo: to };
}

export async function action(args: Route.ActionArgs) {
  const { code = "", return_to } = formFields(args);
  const result = await runAction(args, async (ctx) => {
    await ctx.api.secondFactor.signIn({ code });
    setFlash(ctx, "welcome");
    throw redirect(safeRedirectAfterSignIn(return_to));
  });
  return formErrorResponse(args, result);
}

/** Second factor at sign-in: a code of the authenticator app, or a recovery code. */
export default function Challenge({ loaderData: { returnTo }, actionData }: Route.ComponentProps) {
  const actionError = getActionError(actionData);
  const submitting = useSubmitting();
  return (
    <CenteredPage title="Un paso más" illustration={<PhoneIllustration />}>
      <CenteredPageCard>
        <p className="text-muted">Escribe el código de 6 números que muestra ahora tu aplicación.</p>
        <ActionErrorMessage result={actionData}>
          {actionError?.code === "sign_in_paused" && <PausedSignInHelp />}
        </ActionErrorMessage>
        {actionError?.code === "second_factor_expired" ? (
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
              error={actionError?.fields?.code}
            />
            <Button type="submit" wide busy={submitting} busyText="Comprobando…">
              Entrar
            </Button>
          </Form>
        )}
      </CenteredPageCard>
      <p className="centered-page__note">
        ¿Has perdido el teléfono y los códigos? <Link to="/contacto">Escríbenos</Link> y veremos cómo recuperar tu
        cuenta.
      </p>
    </CenteredPage>
  );
}
