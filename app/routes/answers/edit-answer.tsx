import { edit, loadForEditing } from "#app/answers/edit-and-delete.server.ts";
import { EditOwnText } from "#app/answers/edit-and-delete-pages.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/edit-answer.ts";

export const meta: Route.MetaFunction = () => pageMeta("Editar respuesta");
export const loader = (args: Route.LoaderArgs) => loadForEditing(args, "answer");
export const action = (args: Route.ActionArgs) => edit(args, "answer");

export default function EditAnswer({ loaderData, actionData }: Route.ComponentProps) {
  return <EditOwnText kind="answer" text={loaderData} result={actionData} />;
}
