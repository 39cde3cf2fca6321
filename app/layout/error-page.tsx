import type { ReactNode } from "react";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import { UnsentText } from "#app/components/unsent.tsx";
import { pageError } from "#app/lib/client-error-messages.ts";
import { encodePath } from "#app/lib/sign-in-path.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";

export function ErrorPage({ children }: { children?: ReactNode }) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { code, title, description, unsent } = pageError(error);
  const signedOut = code === "sign_in_required";
  const goneSomewhere = code.endsWith("not_found") || code === "gone" || code === "admin_only";
  return (
    <CenteredPage title={title} card>
      <p>{description}</p>
      {unsent && <UnsentText text={unsent} />}
      {children}
      {!goneSomewhere && <p>Si hay peligro ahora, llama a los servicios de emergencia de tu país.</p>}
      <div className="row">
        {!goneSomewhere && (
          // Code that failed to load is requested again only by a new document.
          <Link
            className="button"
            to={signedOut ? `/auth?volver=${encodePath(pathname)}` : pathname + search}
            // The text stays in this tab.
            target={unsent && signedOut ? "_blank" : undefined}
            replace
            reloadDocument={!isRouteErrorResponse(error)}
          >
            {signedOut ? "Iniciar Sesión" : "Reintentar"}
          </Link>
        )}
        <ButtonLink to="/" variant={goneSomewhere ? "primary" : "soft"}>
          Volver al inicio
        </ButtonLink>
      </div>
    </CenteredPage>
  );
}
