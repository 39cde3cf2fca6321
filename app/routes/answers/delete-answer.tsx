import { loadForDeleting, remove } from "#app/answers/edit-and-delete.server.ts";
import { DeleteOwnText } from "#app/answers/edit-and-delete-pages.tsx";
import { pageMeta } from "#app/lib/page-meta.ts";
import type { Route } from "./+types/delete-answer.ts";

export const meta: Route.MetaFunction = () => pageMeta("Eliminar respuesta");
export const loader = (args: Route.LoaderArgs) => loadForDeleting(args, "answer");
export const action = (args: Route.ActionArgs) => remove(args, "answer");

export default function DeleteAnswer({ loaderData, actionData }: Route.ComponentProps) {
  return <DeleteOwnText kind="answer" text={loaderData} result={actionData} />;
}
