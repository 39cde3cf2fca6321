import type { DataRouteObject } from "react-router";

type RouterState = { actionData: object | null; navigation: { state: "idle" | "loading" | "submitting" } };
type DataRouter = {
  routes: DataRouteObject[];
  state: RouterState;
  subscribe(listener: (state: RouterState) => void): () => void;
};

/** Returns the parts that we read of the browser's router, which React Router exposes only on the window. */
export const dataRouter = (): DataRouter =>
  (window as unknown as { __reactRouterDataRouter: DataRouter }).__reactRouterDataRouter;
