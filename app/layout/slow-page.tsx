import { type ReactNode, useEffect } from "react";
import { useLocation } from "react-router";
import { useAuth } from "#app/accounts/sign-in/auth-context.tsx";
import { useSlowNavigation } from "#app/lib/slow-navigation.ts";
import { fetchSkeletons, Waiting } from "#app/parts/waiting.tsx";

/** The page, or the skeleton of the one that is coming, once that takes a while. A list that changes within its page has a skeleton of its own. */
export function SlowPage({ children }: { children: ReactNode }) {
  const slow = useSlowNavigation();
  const { pathname } = useLocation();
  const { viewer } = useAuth();
  // A press that begins may soon be followed by waiting.
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
    <Waiting
      on={slow !== null && slow.pathname !== pathname}
      skeleton={({ SkeletonPage }) => slow && <SkeletonPage key={slow.key} to={slow} cover={!viewer} />}
    >
      {children}
    </Waiting>
  );
}
