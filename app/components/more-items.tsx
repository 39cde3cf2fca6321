import { type MouseEvent, type ReactNode, useEffect, useRef } from "react";
import { handleInPage } from "#app/lib/modified-click.ts";
import type { PagedList } from "#app/lib/paged-list.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";

interface MoreItemsProps<Item extends { id: string }> {
  list: PagedList<Item>;
  to: (cursor: string) => string;
  failed: string;
  inThread?: {
    label: ReactNode;
    count: ReactNode;
    elementId: (item: Item) => string;
  };
}

/** End of a list: a link to its next page, which a script loads in place, and an error if that fails. */
export function MoreItems<Item extends { id: string }>({
  list: { items, next, state, load },
  to,
  failed,
  inThread,
}: MoreItemsProps<Item>) {
  const pressed = useRef<{ at: number; link: HTMLElement; list: Element | null }>(null);
  useEffect(() => {
    if (!pressed.current) return;
    const { at, link, list } = pressed.current;
    const first = items[at];
    if (!first) return;
    pressed.current = null;
    // Not if the user has moved the focus meanwhile, for example to write a reply.
    if (![link, document.body].includes(document.activeElement as HTMLElement)) return;
    const element = inThread
      ? document.getElementById(inThread.elementId(first))
      : list?.querySelectorAll("article")[at]?.querySelector("a");
    element?.focus({ preventScroll: true });
  });
  if (next === null) return null;
  const busy = state === "loading";
  const loadMore = ({ currentTarget }: MouseEvent<HTMLElement>) => {
    if (busy) return;
    pressed.current = { at: items.length, link: currentTarget, list: currentTarget.closest(".feed") };
    load();
  };
  const hasFailed = state === "failed";
  // The same link loads and retries, so that it does not lose the focus.
  return (
    <>
      {hasFailed && !inThread && <ErrorState title={failed} action={null} />}
      <p className={inThread ? "row" : "row pagination"}>
        {hasFailed && inThread && <span role="alert">{failed}</span>}
        <ButtonLink
          to={to(next)}
          variant="soft"
          small={inThread !== undefined}
          busy={busy}
          icon={inThread && !hasFailed && <Icon name="chevron-down" size="s" />}
          onClick={handleInPage(loadMore)}
        >
          {hasFailed ? "Reintentar" : inThread ? inThread.label : "Cargar más"}
        </ButtonLink>
        {inThread && <span className="faint tabular-nums">{inThread.count}</span>}
      </p>
    </>
  );
}
