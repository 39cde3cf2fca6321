import { useSyncExternalStore } from "react";

const never = () => () => {};

/** Whether scripts run here: false on the server and in the first rendering of its page, which must agree; then true. */
export const useHydrated = (): boolean =>
  useSyncExternalStore(
    never,
    () => true,
    () => false,
  );
