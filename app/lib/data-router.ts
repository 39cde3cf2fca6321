import type { DataRouteObject } from "react-router";

type DataRouter = { routes: DataRouteObject[]; state: { actionData: object | null } };

/** Returns the parts that we read of the browser's router, which React Router exposes only on the window. */
export const dataRouter = (): DataRouter =>
  (window as unknown as { __reactRouterDataRouter: DataRouter }).__reactRouterDataRouter;
