import { type ReactNode, useEffect, useRef } from "react";
import { handleInPage } from "#app/lib/modified-click.ts";
import type { MorePages } from "#app/lib/more-pages.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ChevronDownIcon } from "#app/ui/icon.tsx";

/**
 * Link to the next page of a list in a consultation. With JavaScript it loads the page in place and focuses the first
 * new item without scrolling.
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
  elementId: (item: Item) => string;
  label: string;
  failed: string;
  /** Context of the link for screen readers. */
  of?: string;
  /** Number of items. */
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
            onClick={handleInPage(() => {
              if (!busy) loadMore();
            })}
          >
            {label}
            {of && <span className="visually-hidden"> {of}</span>}
          </ButtonLink>
          <span className="faint tabular-nums">{children}</span>
        </>
      )}
    </p>
  );
}
