import { Outlet } from "react-router";
import { ErrorPage } from "./error-page.tsx";

/** An error boundary of the root would replace the whole document, with header, footer and toasts. */
export default Outlet;

export const ErrorBoundary = ErrorPage;
