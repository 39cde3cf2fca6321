import { inPage } from "#app/lib/modified-click.ts";
import type { MorePages } from "#app/lib/more-pages.ts";
import { PAGE_WORDS } from "#app/lib/page-words.ts";
import { Button } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";

/** The end of a list of consultations: more of it, or that more could not be loaded and how to try again. */
export function MoreConsultations({
  list: { next, state, load },
  to,
}: {
  list: Pick<MorePages<unknown>, "next" | "state" | "load">;
  /** The page that begins at a cursor: a link that works without JavaScript and in another tab. */
  to: (cursor: string) => string;
}) {
  if (state === "failed")
    return (
      <ErrorState
        title={PAGE_WORDS.consultations_not_loaded.description}
        action={
          <Button variant="soft" small onClick={load}>
            Reintentar
          </Button>
        }
      />
    );
  return <LoadMore to={next && to(next)} busy={state === "loading"} onClick={inPage(load)} />;
}
