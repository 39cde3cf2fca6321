import { Fragment, useRef, useState } from "react";
import { Form, href, Link } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { REMOVAL_WARNING } from "#app/components/edit-and-delete.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { answerCount } from "#app/lib/format.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { useStoredValues } from "#app/lib/use-draft.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AdminConsultationsView, AdminConsultationView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import type { Route } from "./+types/consultations.ts";
import { type FailedDecision, isConflict, ListHeader, useDecisions, VersionConflict } from "./parts.tsx";
import { decide, loadSection, undo } from "./section.server.ts";
import { groupUndoBanners, UndoBanners } from "./undo-banners.tsx";

export const handle: FailureHandle = {
  failed: { load: failure("No se pudieron cargar las consultas"), delete: failure("No se pudo eliminar la consulta") },
};

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api: { admin }, asAppError, orNull, query }) => {
    let searchError: string | undefined;
    const asked = admin.consultations({ q: query.q, cursor: query.cursor });
    const search = asked.catch((error: unknown): AdminConsultationsView => {
      searchError = asAppError(error).body.fields?.q;
      if (!searchError) throw error;
      return { items: [], next_cursor: null };
    });
    const [list, undoable] = await Promise.all([orNull(search), orNull(admin.undoable({}))]);
    return { list, undoable, searchError };
  });

export const action = formAction({
  delete: decide("consultation_removed", ({ api, input }) => api.admin.deleteConsultation(input("id", "version"))),
  undo,
});

export const shouldRevalidate = reloadAfterConflict;

export default function Consultations({ loaderData, actionData }: Route.ComponentProps) {
  const { list, undoable, searchError, query } = loaderData;
  const { q = "", cursor } = query;
  const { failedOf, refusal } = useDecisions(actionData, list?.items ?? []);
  const form = useRef<HTMLFormElement>(null);
  // Shows the words of the list after Back.
  useStoredValues(form);
  const strips = groupUndoBanners(undoable, ["consultation_deleted"], list?.items ?? [], "newest first");
  return (
    <>
      {refusal}
      <section aria-labelledby="consultations">
        <ListHeader id="consultations" title={cursor ? "Consultas anteriores" : "Consultas recientes"}>
          Ninguna nombra a quien la escribió de forma anónima.
        </ListHeader>
        <Form ref={form} method="get" className="admin-filters" role="search" aria-label="Buscar entre las consultas">
          <TextInput
            label="Buscar en título y texto"
            name="q"
            type="search"
            defaultValue={q}
            maxLength={LIMITS.adminSearch.max}
            error={searchError}
          />
          <Button type="submit" variant="soft" icon={<Icon name="search" size="s" />}>
            Buscar
          </Button>
        </Form>
        <div className="rows admin-list">
          {list === null && <ErrorState title="No se pudieron cargar las consultas" />}
          {list?.items.length === 0 && !searchError && (
            <EmptyState
              title={
                q
                  ? `Ninguna consulta con «${q}»${list.next_cursor ? " entre las más recientes" : ""}.`
                  : "Todavía no hay consultas."
              }
              action={(q || cursor) && <Link to="/admin/consultas">Ver las más recientes</Link>}
            />
          )}
          {list?.items.map((consultation) => (
            <Fragment key={consultation.id}>
              <UndoBanners of={strips.get(consultation.id)} />
              <ConsultationRow consultation={consultation} failed={failedOf(consultation.id)} />
            </Fragment>
          ))}
          <UndoBanners of={strips.get("")} />
          {list && (
            <LoadMore to={list.next_cursor && `?${new URLSearchParams({ ...query, cursor: list.next_cursor })}`}>
              {list.items.length ? "Ver anteriores" : "Buscar más atrás"}
            </LoadMore>
          )}
        </div>
      </section>
    </>
  );
}

type ConsultationRowProps = { consultation: AdminConsultationView; failed: FailedDecision | null };

function ConsultationRow({ consultation, failed }: ConsultationRowProps) {
  const [asking, setAsking] = useState(false);
  const { id, version, title, content, country, category, author_label, created_at, response_count } = consultation;
  return (
    <article id={`d-${id}`} className="rows admin-row has-wide-text" aria-labelledby={`c-${id}`}>
      {!asking && <VersionConflict failed={failed} />}
      <div className="admin-row__person without-avatar">
        <div>
          <p className="meta">
            {category && <span className="category">{category}</span>}
            <span>{country}</span>
            <RelativeTime datetime={created_at} />
            <span>{author_label}</span>
            <span>{answerCount(response_count)}</span>
          </p>
          <h3 id={`c-${id}`} className="title-s">
            <Link to={href("/consulta/:id", { id })}>{title}</Link>
          </h3>
          <p className="text-muted small admin-row__text is-short clamped">{content}</p>
        </div>
      </div>
      <div className="decision-buttons">
        <ButtonLink
          to={href("/consulta/:id/eliminar", { id })}
          small
          className="button--reject"
          icon={<Icon name="trash" size="s" />}
          onClick={handleInPage(() => setAsking(true))}
        >
          Eliminar<span className="visually-hidden">: {title}</span>
        </ButtonLink>
      </div>
      {asking && (
        <ConfirmDialog
          onClose={() => setAsking(false)}
          title="¿Eliminar esta consulta?"
          action={
            <ActionForm fields={{ intent: "delete", id, version }} preventScrollReset>
              <SubmitButton variant="danger" wide busyText="Eliminando…">
                Eliminar
              </SubmitButton>
            </ActionForm>
          }
        >
          <VersionConflict failed={failed} />
          <p>
            <b>{title}</b>
          </p>
          {isConflict(failed) && <p className="deletion__content clamped">{content}</p>}
          <p className="above-2">{REMOVAL_WARNING}</p>
        </ConfirmDialog>
      )}
    </article>
  );
}
