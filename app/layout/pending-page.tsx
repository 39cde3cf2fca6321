import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { fetchSkeletons, SkeletonBoundary } from "#app/components/skeleton-boundary.tsx";
import { samePage } from "#app/lib/same-page.ts";
import { useDelayedNavigation } from "#app/lib/slow-navigation.ts";

/** Shows the skeleton of the next page if loading takes over 150 ms. Lists that change within a page have their own. */
export function PendingPage({ children }: { children: ReactNode }) {
  const slow = useDelayedNavigation();
  const { pathname } = useLocation();
  const { viewer } = useAuth();
  // Prefetches the skeletons on the first press, which may start a navigation.
  useEffect(() => {
    const begin = () => void fetchSkeletons();
    addEventListener("pointerdown", begin, { once: true, passive: true });
    addEventListener("keydown", begin, { once: true, passive: true });
    return () => {
      removeEventListener("pointerdown", begin);
      removeEventListener("keydown", begin);
    };
  }, []);
  return (
    <SkeletonBoundary
      on={slow !== null && !samePage(slow.pathname, pathname)}
      skeleton={({ SkeletonPage }) => slow && <SkeletonPage key={slow.key} to={slow} cover={!viewer} />}
    >
      {children}
    </SkeletonBoundary>
  );
}
