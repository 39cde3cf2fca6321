import type { ShouldRevalidateFunctionArgs } from "react-router";

/** Reloads the data of a route after a 409, so that the page shows what changed. */
export const reloadAfterConflict = ({ actionStatus, defaultShouldRevalidate }: ShouldRevalidateFunctionArgs) =>
  actionStatus === 409 || defaultShouldRevalidate;
