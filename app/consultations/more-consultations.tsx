import { handleInPage } from "#app/lib/modified-click.ts";
import type { MorePages } from "#app/lib/more-pages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/error-state.tsx";

/** End of a list of consultations: the button for more, or an error with a retry button. */
export function MoreConsultations({
  list: { next, state, load },
  to,
}: {
  list: Pick<MorePages<unknown>, "next" | "state" | "load">;
  /** Returns the URL of the page at a cursor. The link works without JavaScript and in a new tab. */
  to: (cursor: string) => string;
}) {
  if (state === "failed")
    return (
      <ErrorState
        title="No se pudieron cargar las consultas"
        action={
          <Button variant="soft" small onClick={load}>
            Reintentar
          </Button>
        }
      />
    );
  return (
    next && (
      <p className="pagination">
        <ButtonLink to={to(next)} variant="soft" busy={state === "loading"} onClick={handleInPage(load)}>
          Cargar más
        </ButtonLink>
      </p>
    )
  );
}
