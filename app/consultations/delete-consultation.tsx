import { href } from "react-router";
import { DeletePage } from "#app/components/edit-and-delete.tsx";
import { type FailureHandle, failure, outage } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/delete-consultation.ts";

export const handle: FailureHandle = {
  failed: { load: outage("No se pudo cargar la consulta"), act: failure("No se pudo eliminar la consulta") },
};

export const meta: Route.MetaFunction = () => pageMeta("Eliminar consulta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    requireViewer(args);
    const { consultation, viewer: own } = await api.consultations.get({ id });
    if (!own.mine && !own.removal_version) throw new AppError("consultation_not_found");
    return {
      kind: own.mine ? ("consultation" as const) : ("removal" as const),
      back: href("/consulta/:id", { id }),
      quote: consultation.title,
      version: own.removal_version ?? undefined,
    };
  });

/** The administrator's form contains a version. Only a removal may restore the author's weekly limit. */
export const action = formAction(async ({ api, args, fields, leave }) => {
  const { id } = args.params;
  const { version } = fields;
  if (version) await api.admin.deleteConsultation({ id, version });
  else await api.consultations.delete({ id });
  return leave("/", version ? "removed_from_page" : "consultation_deleted", id);
});

export const shouldRevalidate = reloadAfterConflict;

export default function DeleteConsultation({ loaderData, actionData }: Route.ComponentProps) {
  return <DeletePage {...loaderData} response={actionData} />;
}
