import { Outlet } from "react-router";
import { PageProblem } from "#app/layout/page-problem.tsx";

/**
 * Catches a page that fails, so that header, footer and toasts stay as they are: were it the root that caught it, the
 * browser would lay out the whole document anew.
 */
export default Outlet;

export const ErrorBoundary = PageProblem;
