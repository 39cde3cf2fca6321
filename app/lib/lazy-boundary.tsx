import { type ExoticComponent, Fragment, type ReactNode, Suspense, useMemo, useState } from "react";
import { useHydrated } from "./hydrated.ts";

type Boundary = ExoticComponent<{ children?: ReactNode }>;

/** Surrounds lazy parts. Hydration does not wait for their code. A navigation waits, so that the page does not move. */
export function LazyBoundary({ children }: { children: ReactNode }) {
  const hydrated = useHydrated();
  const [Boundary] = useState<Boundary>(hydrated ? Fragment : Suspense);
  // React replaces the document's markup if a boundary changes before its code arrives.
  return useMemo(() => <Boundary>{children}</Boundary>, [Boundary, children]);
}
