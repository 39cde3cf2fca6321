import { useState } from "react";
import { Form, Link } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog } from "#app/ui/dialog.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { TextInput } from "#app/ui/field.tsx";
import { SearchIcon, TrashIcon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { AdminConsultationsView, AdminConsultationView } from "#shared/moderation.ts";
import { type AdminQuery, adminAddress } from "./admin-address.ts";
import { useDeciding } from "./deciding.ts";

/** The most recent consultations, with a search; any of them can be deleted, and none names its anonymous author. */
export function ConsultationsTab({
  list,
  query,
  now,
}: {
  list: AdminConsultationsView | null;
  query: AdminQuery;
  now: string;
}) {
  const { q = "", cursor } = query;
  return (
    <section aria-labelledby="consultations">
      <h2 id="consultations" className="h-l">
        {cursor ? "Consultas anteriores" : "Consultas recientes"}
      </h2>
      <Form method="get" action="/admin" className="row mt-[1rem] items-end!" role="search" key={q}>
        <input type="hidden" name="vista" value="consultas" />
        <TextInput
          label="Buscar en título y texto"
          name="q"
          type="search"
          defaultValue={q}
          maxLength={LIMITS.adminSearch.max}
          className="grow basis-[16rem]"
        />
        <Button type="submit" variant="soft" icon={<SearchIcon size="s" />}>
          Buscar
        </Button>
      </Form>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && <ErrorState title="No se pudieron cargar las consultas" action={<Retry />} />}
        {list?.items.length === 0 && (
          <EmptyState
            title={
              q
                ? `Ninguna consulta con «${q}»${list.next_cursor ? " entre las más recientes" : ""}.`
                : "Todavía no hay consultas."
            }
            action={(q || cursor) && <Link to="/admin?vista=consultas">Ver las más recientes</Link>}
          />
        )}
        {list?.items.map((consultation) => (
          <ConsultationRow key={consultation.id} consultation={consultation} now={now} />
        ))}
        {list && (
          <LoadMore to={list.next_cursor && adminAddress(query, { cursor: list.next_cursor })}>
            {list.items.length ? "Ver anteriores" : "Buscar más atrás"}
          </LoadMore>
        )}
      </div>
    </section>
  );
}

function ConsultationRow({ consultation, now }: { consultation: AdminConsultationView; now: string }) {
  const [asking, setAsking] = useState(false);
  const { id, title, content, country, category, author_label, created_at, response_count } = consultation;
  const deciding = useDeciding(id);
  return (
    <article className="panel stack [--gap:.5rem]" aria-labelledby={`c-${id}`}>
      <p className="meta">
        {category && <span className="cat">{category}</span>}
        <span>{country}</span>
        <RelativeTime datetime={created_at} now={now} />
        <span>{author_label}</span>
        <span>{counted(response_count, "respuesta", "respuestas")}</span>
      </p>
      <h3 id={`c-${id}`} className="h-s">
        <Link to={`/consulta/${id}`}>{title}</Link>
      </h3>
      <p className="line-clamp-2 max-w-[66ch]">{content}</p>
      <ButtonLink
        to={`/consulta/${id}/eliminar`}
        variant="danger"
        small
        icon={<TrashIcon size="s" />}
        onClick={(event) => {
          if (event.metaKey || event.ctrlKey) return;
          event.preventDefault();
          setAsking(true);
        }}
      >
        Eliminar<span className="sr">: {title}</span>
      </ButtonLink>
      <ConfirmDialog
        open={asking}
        onClose={() => setAsking(false)}
        title="¿Eliminar esta consulta?"
        action={
          <Form method="post" action="/admin?vista=consultas" preventScrollReset>
            <input type="hidden" name="decision" value="delete" />
            <input type="hidden" name="id" value={id} />
            <Button type="submit" variant="danger" wide busy={deciding("delete")} busyText="Eliminando…">
              Eliminar
            </Button>
          </Form>
        }
      >
        <p>
          <b>{title}</b>
        </p>
        <p className="mt-[.5rem]">
          Se borran también sus respuestas, comentarios y votos. No se puede deshacer. Si contaba en la semana de quien
          la escribió, esa persona podrá publicar otra.
        </p>
      </ConfirmDialog>
    </article>
  );
}
