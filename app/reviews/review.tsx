import { href, redirect } from "react-router";
import { ActionForm, FormError, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { REVIEW_DELETION } from "#app/components/edit-and-delete.tsx";
import { type FailureHandle, failure, outage } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { unbrokenTitle } from "#app/lib/format.ts";
import { pageMeta } from "#app/lib/page-meta.ts";
import { requireViewer, runLoader, setFlash, withErrorCode } from "#app/lib/page-request.server.ts";
import { FormPage } from "#app/ui/form-page.tsx";
import type { Route } from "./+types/review.ts";
import { ReviewForm } from "./review-form.tsx";
import "./reviews.css";

export const handle: FailureHandle = {
  failed: {
    load: outage("No se pudo cargar el perfil del psicólogo"),
    act: failure("No se pudo enviar la reseña"),
    edit: failure("No se pudieron guardar los cambios"),
  },
};

export const meta: Route.MetaFunction = () => pageMeta("Tu reseña");

export const loader = (args: Route.LoaderArgs) =>
  runLoader(args, async ({ api }) => {
    const { id } = args.params;
    requireViewer(args, href("/psicologo/:id", { id }));
    const psychologist = await withErrorCode(api.psychologists.get({ id }), {
      not_found: "psychologist_not_found",
    });
    if (psychologist.viewer.mine) throw redirect(href("/psicologo/:id", { id: psychologist.id }));
    return { id: psychologist.id, name: psychologist.full_name, own: psychologist.viewer.review };
  });

export const action = formAction(async (page) => {
  const { api, args, isDocument } = page;
  const { intent, rating, comment, show_name } = page.fields;
  const { id } = args.params;
  const profile = href("/psicologo/:id", { id });
  if (isDocument) requireViewer(args, profile);
  const deleting = intent === "delete";
  if (deleting) await api.reviews.delete({ id });
  // The operation validates the raw values.
  else await api.reviews.put({ id, rating: Number(rating), comment, show_name: (show_name ?? false) as boolean });
  // A deletion removes the component that could show the toast, so the server sets it, even with JavaScript.
  if (deleting || isDocument)
    setFlash(page, deleting ? "review_deleted" : intent === "edit" ? "changes_saved" : "review_sent");
  return isDocument ? redirect(`${profile}#resenas`) : { done: true };
});

export default function Review({ loaderData, actionData }: Route.ComponentProps) {
  const deletion = useForm(actionData, { intent: "delete" });
  const { id, name, own } = loaderData;
  const failed = actionData && "typed" in actionData && actionData.intent !== "delete" ? actionData : undefined;
  return (
    <FormPage
      title={`${own ? "Tu reseña" : "Calificar"}: ${unbrokenTitle(name)}`}
      back={{ to: href("/psicologo/:id", { id }), label: "Volver al perfil" }}
      className="stack"
    >
      <div className="panel thread__part">
        <ReviewForm psychologistId={id} own={own} editing={own !== null} response={failed} values={failed?.typed} />
      </div>
      {own && (
        <section className="panel stack" id="eliminar" aria-labelledby="eliminar-titulo">
          <h2 id="eliminar-titulo">{REVIEW_DELETION.title}</h2>
          <p>{REVIEW_DELETION.text}</p>
          <FormError form={deletion} />
          <ActionForm fields={{ intent: "delete" }}>
            <SubmitButton variant="danger" busyText="Eliminando…">
              Eliminar
            </SubmitButton>
          </ActionForm>
        </section>
      )}
    </FormPage>
  );
}
