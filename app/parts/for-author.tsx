import type { ReactNode } from "react";
import { useRouteLoaderData } from "react-router";
import { useHydrated } from "#app/lib/hydrated.ts";

interface ForAuthorProps {
  /** True if the viewer is the author. */
  mine: boolean;
  className?: string;
  children: ReactNode;
}

/**
 * Content for the author only. Documents of all signed-in users contain it, hidden, because the length of an encrypted
 * document would otherwise show who the author is (docs/decisions/0053). Others lose it when the page is hydrated.
 */
export function ForAuthor({ mine, className, children }: ForAuthorProps) {
  const viewer = useRouteLoaderData<() => { viewer: object | null }>("root")?.viewer;
  const hydrated = useHydrated();
  if (!mine && (hydrated || !viewer)) return null;
  return (
    <div className={className} hidden={!mine}>
      {children}
    </div>
  );
}
