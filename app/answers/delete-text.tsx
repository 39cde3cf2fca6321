import { href } from "react-router";
import { DeletePage } from "#app/components/edit-and-delete.tsx";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { refererPath, requireViewer, runLoader } from "#app/lib/page-request.server.ts";
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
  const deleted = await textOperations(api, args.url.pathname).delete({ id: args.params.id });
  const consultation = href("/consulta/:id", { id: deleted.consultation_id });
  // Redirects to the place of the deleted text, which receives the focus, on the page with its button.
  const from = refererPath(args);
  if (!("answer_id" in deleted)) return leave(`${from ?? consultation}#respuestas`, "answer_deleted");
  const { answer_id } = deleted;
  return leave(`${from ?? `${consultation}?respuesta=${answer_id}`}#respuesta-${answer_id}`, "reply_deleted");
});

export default function DeleteText({ loaderData: { text, kind }, actionData }: Route.ComponentProps) {
  return <DeletePage kind={kind} back={ownTextPath(kind, text)} quote={text.content} response={actionData} />;
}
