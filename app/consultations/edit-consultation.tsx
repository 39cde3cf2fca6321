import { href, useNavigate } from "react-router";
import { useForm } from "#app/components/action-form.tsx";
import { EditPage } from "#app/components/edit-and-delete.tsx";
import { GONE_MEANWHILE } from "#app/components/unsent.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { type FailureHandle, failure, outage } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { refererPath, requireViewer, runLoader } from "#app/lib/page-request.server.ts";
import { AppError } from "#shared/errors.ts";
import type { Route } from "./+types/edit-consultation.ts";
import { consultationFormValues } from "./consultation-fields.ts";
import ConsultationForm from "./consultation-form.tsx";

export const handle: FailureHandle = {
  failed: {
    load: outage("No se pudo cargar la consulta"),
    act: failure("No se pudieron guardar los cambios"),
    gone: GONE_MEANWHILE,
  },
};

export const meta: Route.MetaFunction = () => pageMeta("Editar consulta");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    requireViewer(args);
    const { consultation, viewer: own } = await api.consultations.get({ id });
    if (!own.mine) throw new AppError("consultation_not_found");
    return { consultation, author_name: own.author_name, notify_on_answer: own.notify_on_answer };
  });

export const action = formAction({
  async mails({ api, args, fields, leave }) {
    const { id } = args.params;
    const notify_on_answer = isChecked(fields.notify_on_answer);
    await api.consultations.chooseMails({ id, notify_on_answer });
    return leave(
      refererPath(args) ?? href("/consulta/:id", { id }),
      notify_on_answer ? "answer_mails_on" : "answer_mails_off",
    );
  },
  async act({ api, args, fields, input, isDocument, leave }) {
    const { id } = args.params;
    // Forms omit unticked checkboxes, but the operation requires a value.
    const { is_anonymous = "false", notify_on_answer, noindex = "false" } = fields;
    const boxes = { is_anonymous, notify_on_answer: notify_on_answer || "false", noindex };
    await api.consultations.edit(input(boxes, { id }));
    if (!isDocument) return { done: true };
    return leave(refererPath(args) ?? href("/consulta/:id", { id }), "changes_saved");
  },
});

export default function EditConsultation({ loaderData, actionData }: Route.ComponentProps) {
  // The switch of the mails sends no text.
  const { typed } = useForm(actionData, { intent: "act" });
  const { consultation, ...own } = loaderData;
  const navigate = useNavigate();
  const back = href("/consulta/:id", { id: consultation.id });
  return (
    <EditPage title="Editar consulta" back={back}>
      <ConsultationForm
        editing={consultation}
        response={actionData}
        values={typed ?? consultationFormValues(consultation, own)}
        onSaved={() => navigate(back, { replace: true })}
      />
    </EditPage>
  );
}
