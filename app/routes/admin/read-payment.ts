import { redirect } from "react-router";
import { readNow } from "#app/admin/read-now.server.ts";
import { tabAddress } from "#app/admin/tabs.ts";
import type { Route } from "./+types/read-payment.ts";

export const loader = () => redirect(tabAddress("membresias"));

export const action = (args: Route.ActionArgs) =>
  readNow(
    args,
    {
      changed: "payment_read_changed",
      unchanged: "payment_read_unchanged",
      waiting: "payment_read_waiting",
      unknown: "payment_read_unknown",
    },
    (api) => api.payments.readNow({ id: args.params.id }),
  );
