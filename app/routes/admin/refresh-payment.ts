import { redirect } from "react-router";
import { refreshFromProvider } from "#app/admin/refresh-from-provider.server.ts";
import { tabPath } from "#app/admin/tabs.ts";
import type { Route } from "./+types/refresh-payment.ts";

export const loader = () => redirect(tabPath("membresias"));

export const action = (args: Route.ActionArgs) =>
  refreshFromProvider(
    args,
    {
      changed: "payment_read_changed",
      unchanged: "payment_read_unchanged",
      waiting: "payment_read_waiting",
      unknown: "payment_read_unknown",
    },
    (api) => api.payments.readNow({ id: args.params.id }),
  );
