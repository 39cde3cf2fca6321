import { type ReactNode, useEffect, useState } from "react";

type Skeletons = typeof import("./skeleton.tsx");

let skeletons: Skeletons | null = null;

export async function fetchSkeletons(): Promise<void> {
  skeletons ??= await import("./skeleton.tsx").catch(() => null);
}

type SkeletonBoundaryProps = { on: boolean; skeleton: (skeletons: Skeletons) => ReactNode; children: ReactNode };

export function SkeletonBoundary({ on, skeleton, children }: SkeletonBoundaryProps) {
  const [, setReady] = useState(skeletons !== null);
  useEffect(() => {
    // Also needed if they are loaded: they may have arrived after this render.
    if (on) void fetchSkeletons().then(() => setReady(skeletons !== null));
  }, [on]);
  return on && skeletons ? skeleton(skeletons) : children;
}
