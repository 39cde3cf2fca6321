import type { DataRouteObject } from "react-router";

/** The parts that we read of React Router's browser router, which it exposes only on the window. */
type DataRouter = { routes: DataRouteObject[]; state: { actionData: Record<string, object | null> | null } };

export const dataRouter = (): DataRouter =>
  (window as unknown as { __reactRouterDataRouter: DataRouter }).__reactRouterDataRouter;
