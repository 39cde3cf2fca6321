import { type ReactNode, useEffect, useState } from "react";

type Skeletons = typeof import("./skeleton.tsx");

let skeletons: Skeletons | null = null;
let asked: Promise<void> | undefined;

/** A later call retries a failure. */
export function fetchSkeletons(): Promise<void> {
  asked ??= import("./skeleton.tsx").then(
    (loaded) => {
      skeletons = loaded;
    },
    () => {
      asked = undefined;
    },
  );
  return asked;
}

interface SkeletonBoundaryProps {
  on: boolean;
  skeleton: (skeletons: Skeletons) => ReactNode;
  children: ReactNode;
}

export function SkeletonBoundary({ on, skeleton, children }: SkeletonBoundaryProps) {
  const [, setReady] = useState(skeletons !== null);
  useEffect(() => {
    // Also needed if they are loaded: they may have arrived after this render.
    if (on) void fetchSkeletons().then(() => setReady(skeletons !== null));
  }, [on]);
  return on && skeletons ? skeleton(skeletons) : children;
}
