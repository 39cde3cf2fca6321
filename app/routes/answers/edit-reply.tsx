import { edit, loadForEditing } from "#app/answers/edit-and-delete.server.ts";
import { EditOwnText } from "#app/answers/edit-and-delete-pages.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/edit-reply.ts";

export const meta: Route.MetaFunction = () => pageMeta("Editar comentario");
export const loader = (args: Route.LoaderArgs) => loadForEditing(args, "reply");
export const action = (args: Route.ActionArgs) => edit(args, "reply");

export default function EditReply({ loaderData, actionData }: Route.ComponentProps) {
  return <EditOwnText kind="reply" text={loaderData} result={actionData} />;
}
