import { Outlet } from "react-router";
import { PageProblem } from "#app/shell/page-problem.tsx";

/** A page that fails leaves header, footer and toasts as they are: were it the root that caught it, the browser would lay out the whole document anew. */
export default Outlet;

export const ErrorBoundary = PageProblem;
