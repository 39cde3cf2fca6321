import { type ReactNode, useEffect, useState } from "react";

type Skeletons = typeof import("./skeleton.tsx");

// They are loaded only where a page lets wait, and only in a browser: on the server there is nothing to wait for.
let skeletons: Skeletons | null = null;
let asked: Promise<void> | undefined;

/** Fetches the skeletons, so that they are there when something is slow. A failure is tried again the next time. */
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

interface WaitingProps {
  /** What is shown is about to be replaced, and that takes a while. */
  on: boolean;
  /** The skeleton of what will come. */
  skeleton: (skeletons: Skeletons) => ReactNode;
  /** What is there until then. */
  children: ReactNode;
}

/** Puts a skeleton in the place of what is being replaced; as long as there is none yet, what was there stays. */
export function Waiting({ on, skeleton, children }: WaitingProps) {
  const [, setReady] = useState(skeletons !== null);
  useEffect(() => {
    // Also when they are there: they may have come after this was rendered.
    if (on) void fetchSkeletons().then(() => setReady(skeletons !== null));
  }, [on]);
  return on && skeletons ? skeleton(skeletons) : children;
}
