import { useNavigate } from "react-router";
import { EditPage } from "#app/components/edit-and-delete.tsx";
import { GONE_MEANWHILE } from "#app/components/unsent.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { refererPath, requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import type { Route } from "./+types/edit-text.ts";
import { kindOf, type OwnTextKind, ownTextPath, textOperations } from "./own-text.ts";
import { EditTextForm } from "./text-form.tsx";

export const handle: FailureHandle = {
  failed: { act: failure("No se pudieron guardar los cambios"), gone: GONE_MEANWHILE },
};

const titleOf = (kind: OwnTextKind) => (kind === "answer" ? "Editar respuesta" : "Editar comentario");

export const meta: Route.MetaFunction = ({ location }) => pageMeta(titleOf(kindOf(location.pathname)));

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    requireViewer(args);
    const { own } = textOperations(api, args.url.pathname);
    const text = await own({ id: args.params.id });
    return { text, kind: kindOf(args.url.pathname) };
  });

export const action = formAction(async ({ api, args, fields, isDocument, leave }) => {
  const { id } = args.params;
  const { edit } = textOperations(api, args.url.pathname);
  const { consultation_id } = await edit({ id, content: fields.content ?? "" });
  if (!isDocument) return { done: true };
  const place = ownTextPath(kindOf(args.url.pathname), { id, consultation_id }, refererPath(args));
  return leave(place, "changes_saved");
});

export default function EditText({ loaderData: { text, kind }, actionData }: Route.ComponentProps) {
  const navigate = useNavigate();
  const back = ownTextPath(kind, text);
  return (
    <EditPage title={titleOf(kind)} back={back}>
      <EditTextForm
        kind={kind}
        id={text.id}
        value={text.content}
        response={actionData}
        onSent={() => navigate(back, { replace: true })}
      />
    </EditPage>
  );
}
