import { useSyncExternalStore } from "react";

const never = () => () => {};

/** True if scripts run. False on the server and during hydration, whose markup must be equal. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
