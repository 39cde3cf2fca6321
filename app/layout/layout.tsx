import { Outlet } from "react-router";
import { ErrorPage } from "./error-page.tsx";

/**
 * Catches errors of pages below the root, so that header, footer and toasts stay. An error boundary of the root would
 * replace the whole document.
 */
export default Outlet;

export const ErrorBoundary = ErrorPage;
