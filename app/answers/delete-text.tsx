import { href } from "react-router";
import { DeletePage } from "#app/components/edit-and-delete.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/delete-text.ts";
import { kindOf, ownTextPath, textOperations } from "./own-text.ts";

export const meta: Route.MetaFunction = ({ location }) =>
  pageMeta(kindOf(location.pathname) === "answer" ? "Eliminar respuesta" : "Eliminar comentario");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    requireViewer(args);
    const text = await textOperations(api, args.url.pathname).own({ id: args.params.id });
    return { text, kind: kindOf(args.url.pathname) };
  });

export const action = formAction(async ({ api, args, leave }) => {
  const { consultation_id } = await textOperations(api, args.url.pathname).delete({ id: args.params.id });
  const notice = kindOf(args.url.pathname) === "answer" ? "answer_deleted" : "reply_deleted";
  return leave(href("/consulta/:id", { id: consultation_id }), notice);
});

/** Page that confirms the deletion of the user's own answer or reply. */
export default function DeleteText({ loaderData: { text, kind }, actionData }: Route.ComponentProps) {
  return <DeletePage kind={kind} back={ownTextPath(kind, text)} quote={text.content} response={actionData} />;
}
