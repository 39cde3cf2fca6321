import type { ReactNode } from "react";
import { useAuth } from "#app/lib/auth-context.tsx";
import { useHydrated } from "#app/lib/hydrated.ts";

type ForAuthorProps = { mine: boolean; className?: string; children: ReactNode };

/**
 * Documents of all signed-in users contain it, hidden, because the length of an encrypted document would otherwise
 * reveal the author (docs/decisions/0017). Hydration removes it for all other viewers.
 */
export function ForAuthor({ mine, className, children }: ForAuthorProps) {
  const { viewer } = useAuth();
  const hydrated = useHydrated();
  if (!mine && (hydrated || !viewer)) return null;
  return (
    <div className={className} hidden={!mine}>
      {children}
    </div>
  );
}
