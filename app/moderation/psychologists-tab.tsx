import { Form, Link } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge, GoldBadge, PendingBadge, VerifiedBadge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { SelectInput } from "#app/ui/field.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import { COUNTRIES } from "#shared/lists.ts";
import type { AdminPsychologistsView, AdminPsychologistView } from "#shared/moderation.ts";
import { type AdminQuery, adminAddress } from "./admin-address.ts";
import { Decisions, type RefusedRejection } from "./decisions.tsx";
import { Registers } from "./registers.tsx";

/** Every psychologist, by state, country and membership. */
export function PsychologistsTab({
  list,
  query,
  now,
  refused,
}: {
  list: AdminPsychologistsView | null;
  query: AdminQuery;
  now: string;
  refused: RefusedRejection | null;
}) {
  const { estado = "", pais = "", gold = "", cursor } = query;
  const filtered = Boolean(estado || pais || gold || cursor);
  return (
    <section aria-labelledby="psychologists">
      <h2 id="psychologists" className="h-l">
        Todos los psicólogos
      </h2>
      <Form method="get" action="/admin" className="row mt-[1rem] items-end!" key={`${estado}-${pais}-${gold}`}>
        <input type="hidden" name="vista" value="psicologos" />
        <SelectInput label="Estado" name="estado" defaultValue={estado} className="grow basis-[10rem]">
          <option value="">Todos</option>
          <option value="verificados">Verificados</option>
          <option value="pendientes">Pendientes</option>
          <option value="por-comprobar">Por comprobar de nuevo</option>
        </SelectInput>
        <SelectInput label="País" name="pais" defaultValue={pais} className="grow basis-[10rem]">
          <option value="">Todos</option>
          {COUNTRIES.map((name) => (
            <option key={name}>{name}</option>
          ))}
        </SelectInput>
        <SelectInput label="Gold" name="gold" defaultValue={gold} className="grow basis-[10rem]">
          <option value="">Todos</option>
          <option value="si">Con Gold</option>
          <option value="no">Sin Gold</option>
        </SelectInput>
        <Button type="submit" variant="soft">
          Filtrar
        </Button>
      </Form>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && <ErrorState title="No se pudieron cargar los psicólogos" action={<Retry />} />}
        {list?.items.length === 0 && (
          <EmptyState
            title={filtered ? "Nadie con estos filtros." : "Todavía no hay psicólogos."}
            action={filtered && <Link to="/admin?vista=psicologos">Quitar los filtros</Link>}
          />
        )}
        {list?.items.map((psychologist) => (
          <PsychologistRow key={psychologist.id} psychologist={psychologist} now={now} refused={refused} />
        ))}
        {list && (
          <LoadMore to={list.next_cursor && adminAddress(query, { cursor: list.next_cursor })}>Ver más</LoadMore>
        )}
      </div>
    </section>
  );
}

function PsychologistRow({
  psychologist,
  now,
  refused,
}: {
  psychologist: AdminPsychologistView;
  now: string;
  refused: RefusedRejection | null;
}) {
  const { id, full_name, email, license_number, specialty, country, verified_at, rejected_at, check_due } =
    psychologist;
  return (
    <article className="panel row flex-nowrap! items-start!" aria-labelledby={`p-${id}`}>
      <Avatar name={full_name} src={psychologist.avatar_url} />
      <div className="grid min-w-0 gap-[.25rem]">
        <div className="row gap-[.5rem]!">
          <h3 id={`p-${id}`} className="h-s">
            <Link to={`/psicologo/${id}`}>{full_name}</Link>
          </h3>
          {psychologist.is_verified ? <VerifiedBadge /> : <PendingBadge />}
          {psychologist.has_gold && <GoldBadge />}
          {rejected_at && <Badge tone="wait">Rechazado</Badge>}
          {check_due && <Badge tone="wait">Comprobar de nuevo</Badge>}
        </div>
        <p className="wrap-anywhere">
          <a href={`mailto:${email}`}>{email}</a>
        </p>
        <p className="soft">{[license_number, specialty, country ?? "Sin país"].filter(Boolean).join("\u00a0· ")}</p>
        <p className="faint row gap-[.75rem]!">
          {psychologist.rating !== null && (
            <Rating value={psychologist.rating} count={counted(psychologist.total_reviews, "reseña", "reseñas")} />
          )}
          <span>{counted(psychologist.total_responses, "respuesta", "respuestas")}</span>
          <span>
            Se registró <RelativeTime datetime={psychologist.created_at} now={now} />
          </span>
          {verified_at && (
            <span>
              Matrícula comprobada <RelativeTime datetime={verified_at} now={now} />
            </span>
          )}
        </p>
        {check_due && (
          <div className="stack mt-[.5rem]">
            <p className="soft">
              Pasaron 12 meses desde que se comprobó esta matrícula. Dónde se comprueba: <Registers country={country} />
            </p>
            <Decisions id={id} fullName={full_name} again refused={refused?.id === id ? refused : null} />
          </div>
        )}
      </div>
    </article>
  );
}
