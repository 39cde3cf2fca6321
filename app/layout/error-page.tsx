import type { ReactNode } from "react";
import { isRouteErrorResponse, Link, useLocation, useRouteError } from "react-router";
import { pageError } from "#app/lib/client-error-messages.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { CenteredPage } from "#app/ui/centered-page.tsx";

/** Error page: the message and the next steps, without details of the error. */
export function ErrorPage({ children }: { children?: ReactNode }) {
  const error = useRouteError();
  const { pathname, search } = useLocation();
  const { code, title, description } = pageError(error);
  const goneSomewhere = code.endsWith("not_found") || code === "gone" || code === "admin_only";
  return (
    <CenteredPage title={title} card>
      <p>{description}</p>
      {children}
      {!goneSomewhere && <p>Si hay peligro ahora, llama a los servicios de emergencia de tu país.</p>}
      <div className="row">
        {!goneSomewhere && (
          // Code that failed to load is requested again only by a new document.
          <Link className="button" to={pathname + search} replace reloadDocument={!isRouteErrorResponse(error)}>
            Reintentar
          </Link>
        )}
        <ButtonLink to="/" variant={goneSomewhere ? "primary" : "soft"}>
          Volver al inicio
        </ButtonLink>
      </div>
    </CenteredPage>
  );
}
