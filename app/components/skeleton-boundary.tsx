import { type ReactNode, useEffect, useState } from "react";

type Skeletons = typeof import("./skeleton.tsx");

// Loaded in the browser when a page is slow. The server renders no skeletons.
let skeletons: Skeletons | null = null;
let asked: Promise<void> | undefined;

/** Loads the skeletons before they are needed. A later call retries a failure. */
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
  /** True if the content loads slowly. */
  on: boolean;
  skeleton: (skeletons: Skeletons) => ReactNode;
  children: ReactNode;
}

/** Replaces old content by its skeleton while new content loads, as soon as the skeleton's code has loaded. */
export function SkeletonBoundary({ on, skeleton, children }: SkeletonBoundaryProps) {
  const [, setReady] = useState(skeletons !== null);
  useEffect(() => {
    // Also needed if they are loaded: they may have arrived after this render.
    if (on) void fetchSkeletons().then(() => setReady(skeletons !== null));
  }, [on]);
  return on && skeletons ? skeleton(skeletons) : children;
}
