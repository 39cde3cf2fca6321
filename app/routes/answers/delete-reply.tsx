import { loadForDeleting, remove } from "#app/answers/edit-and-delete.server.ts";
import { DeleteOwnText } from "#app/answers/edit-and-delete-pages.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/delete-reply.ts";

export const meta: Route.MetaFunction = () => pageMeta("Eliminar comentario");
export const loader = (args: Route.LoaderArgs) => loadForDeleting(args, "reply");
export const action = (args: Route.ActionArgs) => remove(args, "reply");

export default function DeleteReply({ loaderData, actionData }: Route.ComponentProps) {
  return <DeleteOwnText kind="reply" text={loaderData} result={actionData} />;
}
