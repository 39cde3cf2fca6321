import { redirect } from "react-router";
import { refreshFromProvider } from "#app/admin/refresh-from-provider.server.ts";
import { tabPath } from "#app/admin/tabs.ts";
import type { Route } from "./+types/refresh-cancellation.ts";

export const loader = () => redirect(tabPath("membresias"));

export const action = (args: Route.ActionArgs) =>
  refreshFromProvider(
    args,
    {
      changed: "cancellation_read_confirmed",
      unchanged: "cancellation_read_open",
      waiting: "cancellation_read_open",
      unknown: "cancellation_read_unknown",
    },
    (api) => api.payments.readCancellation({ id: args.params.id }),
  );
