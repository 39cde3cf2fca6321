import { redirect } from "react-router";
import { markHandled } from "#app/admin/mark-handled.server.ts";
import { tabPath } from "#app/admin/tabs.ts";
import type { Route } from "./+types/mark-message-handled.ts";

const INBOX = tabPath("mensajes");

export const loader = () => redirect(INBOX);

export const action = (args: Route.ActionArgs) =>
  markHandled(args, INBOX, "message_handled", (api, message) => api.inbox.handle(message));
