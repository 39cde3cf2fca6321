import { redirect } from "react-router";
import { markHandled } from "#app/admin/mark-handled.server.ts";
import { tabPath } from "#app/admin/tabs.ts";
import type { Route } from "./+types/mark-problem-handled.ts";

const PAYMENTS = tabPath("membresias");

export const loader = () => redirect(PAYMENTS);

export const action = (args: Route.ActionArgs) =>
  markHandled(args, PAYMENTS, "payment_problem_handled", (api, problem) => api.payments.handle(problem));
