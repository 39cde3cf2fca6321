import { Fragment, useState } from "react";
import { Form, href, Link } from "react-router";
import { ListHeader } from "#app/admin/list-header.tsx";
import { usePendingDecision } from "#app/admin/pending-decision.ts";
import type { TabData } from "#app/admin/tab-loaders.server.ts";
import { type Tab, type TabProps, tabPath, tabPathWith } from "#app/admin/tabs.ts";
import { groupUndoBanners, UndoBanners } from "#app/admin/undo-banners.tsx";
import { type FailedDecision, VersionConflictMessage } from "#app/admin/version-conflict.tsx";
import { REMOVAL_WARNING } from "#app/components/edit-and-delete.tsx";
import { handleInPage } from "#app/lib/modified-click.ts";
import { pluralize } from "#app/lib/numbers.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { SearchIcon, TrashIcon } from "#app/ui/more-icons.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { AdminConsultationView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import "#app/admin/decision-buttons.css";
import "#app/admin/filters.css";
import "#app/admin/row.css";
import "./consultations-tab.css";

/** Lists and searches the newest consultations and deletes them. Never names an anonymous author. */
function Consultations({ data, query, now, changed }: TabProps<TabData["consultas"]>) {
  const { list, undoable, searchError } = data;
  const { q = "", cursor } = query;
  const strips = groupUndoBanners(undoable, ["removed"], list?.items ?? [], "newest first");
  return (
    <section aria-labelledby="consultations">
      <ListHeader id="consultations" title={cursor ? "Consultas anteriores" : "Consultas recientes"}>
        Ninguna nombra a quien la escribió de forma anónima.
      </ListHeader>
      <Form method="get" action="/admin" className="admin-filters" role="search" key={q}>
        <input type="hidden" name="vista" value="consultas" />
        <TextInput
          label="Buscar en título y texto"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={LIMITS.adminSearch.max}
          error={searchError}
        />
        <Button type="submit" variant="soft" icon={<SearchIcon size="s" />}>
          Buscar
        </Button>
      </Form>
      <div className="admin-list">
        {list === null && <ErrorState title="No se pudieron cargar las consultas" action={<Retry />} />}
        {list?.items.length === 0 && !searchError && (
          <EmptyState
            title={
              q
                ? `Ninguna consulta con «${q}»${list.next_cursor ? " entre las más recientes" : ""}.`
                : "Todavía no hay consultas."
            }
            action={(q || cursor) && <Link to={tabPath("consultas")}>Ver las más recientes</Link>}
          />
        )}
        {list?.items.map((consultation) => (
          <Fragment key={consultation.id}>
            <UndoBanners of={strips.get(consultation.id)} />
            <ConsultationRow
              consultation={consultation}
              now={now}
              changed={changed?.id === consultation.id ? changed : null}
            />
          </Fragment>
        ))}
        <UndoBanners of={strips.get("")} />
        {list && (
          <LoadMore to={list.next_cursor && tabPathWith(query, { cursor: list.next_cursor })}>
            {list.items.length ? "Ver anteriores" : "Buscar más atrás"}
          </LoadMore>
        )}
      </div>
    </section>
  );
}

function ConsultationRow({
  consultation,
  now,
  changed,
}: {
  consultation: AdminConsultationView;
  now: string;
  changed: FailedDecision | null;
}) {
  const [asking, setAsking] = useState(false);
  const said = changed && <VersionConflictMessage key={changed.at} actionError={changed.actionError} />;
  const { id, version, title, content, country, category, author_label, created_at, response_count } = consultation;
  const deciding = usePendingDecision(id);
  return (
    <article id={`d-${id}`} className="admin-row has-wide-text" aria-labelledby={`c-${id}`}>
      {!asking && said}
      <div className="admin-row__person without-avatar">
        <div>
          <p className="meta">
            {category && <span className="category">{category}</span>}
            <span>{country}</span>
            <RelativeTime datetime={created_at} now={now} />
            <span>{author_label}</span>
            <span>{response_count ? pluralize(response_count, "respuesta", "respuestas") : "Sin respuestas"}</span>
          </p>
          <h3 id={`c-${id}`}>
            <Link to={href("/consulta/:id", { id })}>{title}</Link>
          </h3>
          <p className="admin-row__text is-short clamped">{content}</p>
        </div>
      </div>
      <div className="decision-buttons">
        <ButtonLink
          to={href("/consulta/:id/eliminar", { id })}
          small
          className="decision-buttons__reject"
          icon={<TrashIcon size="s" />}
          onClick={handleInPage(() => setAsking(true))}
        >
          Eliminar<span className="visually-hidden">: {title}</span>
        </ButtonLink>
      </div>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="¿Eliminar esta consulta?"
        action={
          <Form method="post" action={tabPath("consultas")} preventScrollReset>
            <input type="hidden" name="intent" value="delete" />
            <input type="hidden" name="id" value={id} />
            <input type="hidden" name="version" value={version} />
            <Button type="submit" variant="danger" wide busy={deciding("delete")} busyText="Eliminando…">
              Eliminar
            </Button>
          </Form>
        }
      >
        {asking && said}
        <p>
          <b>{title}</b>
        </p>
        {changed && <p className="deletion__content clamped">{content}</p>}
        <p className="deletion__warning">{REMOVAL_WARNING}</p>
      </ConfirmDialog>
    </article>
  );
}

export const consultationsTab: Tab<TabData["consultas"]> = {
  Screen: Consultations,
  rows: ({ list }) => list?.items ?? [],
};
