import { type ReactNode, useEffect, useRef } from "react";
import { inPage } from "#app/lib/modified-click.ts";
import type { MorePages } from "#app/lib/more-pages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ChevronDownIcon } from "#app/ui/icon.tsx";

/**
 * The end of a list inside a consultation: a link to its next page, which loads it in place where JavaScript runs. The
 * focus moves to the first item that came; the page stays where it is scrolled to.
 */
export function MoreInThread<Item extends { id: string }>({
  list: { items, next, state, load },
  to,
  elementId,
  label,
  failed,
  of,
  children,
}: {
  list: MorePages<Item>;
  to: (cursor: string) => string;
  /** The id of the element that shows an item. */
  elementId: (item: Item) => string;
  label: string;
  failed: string;
  /** For who hears the link without seeing where it stands. */
  of?: string;
  /** How many there are. */
  children?: ReactNode;
}) {
  const pressedAt = useRef<number | null>(null);
  useEffect(() => {
    const first = pressedAt.current === null ? undefined : items[pressedAt.current];
    if (!first) return;
    pressedAt.current = null;
    document.getElementById(elementId(first))?.focus({ preventScroll: true });
  });
  if (next === null) return null;
  const loadMore = () => {
    pressedAt.current = items.length;
    load();
  };
  const busy = state === "loading";
  return (
    <p className="row">
      {state === "failed" ? (
        <>
          <span role="alert">{failed}</span>
          <Button variant="soft" small onClick={loadMore}>
            Reintentar
          </Button>
        </>
      ) : (
        <>
          <ButtonLink
            to={to(next)}
            variant="soft"
            small
            busy={busy}
            icon={<ChevronDownIcon size="s" />}
            onClick={inPage(() => {
              if (!busy) loadMore();
            })}
          >
            {label}
            {of && <span className="visually-hidden"> {of}</span>}
          </ButtonLink>
          <span className="faint digits">{children}</span>
        </>
      )}
    </p>
  );
}
