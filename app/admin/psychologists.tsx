import { Fragment } from "react";
import { Form, href, Link } from "react-router";
import { GoldBadge, PendingBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { pluralize } from "#app/lib/format.ts";
import { readListParameters } from "#app/lib/list-parameters.server.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { SelectInput } from "#app/ui/field.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import type { AdminPsychologistView } from "#shared/admin.ts";
import { COUNTRIES } from "#shared/countries.ts";
import type { Route } from "./+types/psychologists.ts";
import { ApproveReject } from "./approve-reject.tsx";
import { Registers } from "./licence.tsx";
import { type FailedDecision, GoldLink, ListHeader, MailLink, useDecisions, VersionConflict } from "./parts.tsx";
import { approve, loadSection, reject, undo } from "./section.server.ts";
import { groupUndoBanners, UndoBanners } from "./undo-banners.tsx";
import "./psychologists.css";

const STATES = { verificados: "verified", pendientes: "pending", "por-comprobar": "due" } as const;
const GOLD = { si: "yes", no: "no" } as const;

export const handle: FailureHandle = {
  failed: {
    load: failure("No se pudieron cargar los psicólogos"),
    "lost renew": failure("No se pudo actualizar el estado de verificación"),
    "lost reject": failure("No se pudo actualizar el estado de verificación"),
  },
};

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api: { admin }, orNull, query }) => {
    const { pais, estado, gold } = readListParameters(args, {
      pais: COUNTRIES,
      estado: Object.keys(STATES) as (keyof typeof STATES)[],
      gold: Object.keys(GOLD) as (keyof typeof GOLD)[],
    });
    const asked = {
      state: estado && STATES[estado],
      country: pais,
      gold: gold && GOLD[gold],
      cursor: query.cursor,
    };
    const [list, undoable] = await Promise.all([orNull(admin.psychologists(asked)), orNull(admin.undoable({}))]);
    return { list, undoable };
  });

export const action = formAction({ renew: approve("licence_checked_again"), reject, undo });

export const shouldRevalidate = reloadAfterConflict;

export default function Psychologists({ loaderData, actionData }: Route.ComponentProps) {
  const { list, undoable, query } = loaderData;
  const { failedOf, refusal } = useDecisions(actionData, list?.items ?? []);
  const strips = groupUndoBanners(
    undoable,
    ["psychologist_approved", "licence_checked_again", "psychologist_rejected"],
    list?.items ?? [],
    "newest first",
  );
  const { estado = "", pais = "", gold = "", cursor } = query;
  const filtered = Boolean(estado || pais || gold || cursor);
  return (
    <>
      {refusal}
      <section aria-labelledby="psychologists">
        <ListHeader id="psychologists" title="Todos los psicólogos">
          Aquí se comprueban otra vez las matrículas de hace 12 meses. Las cuentas nuevas se deciden en{" "}
          <Link to="/admin">Pendientes</Link>.
        </ListHeader>
        <Form method="get" className="admin-filters has-many">
          {/* The keys show the filters of the list after Back. A remounted form would lose the focus. */}
          <SelectInput key={`estado ${estado}`} label="Estado" name="estado" defaultValue={estado}>
            <option value="">Todos</option>
            <option value="verificados">Verificados</option>
            <option value="pendientes">Pendientes</option>
            <option value="por-comprobar">Por comprobar de nuevo</option>
          </SelectInput>
          <SelectInput
            key={`pais ${pais}`}
            label="País"
            name="pais"
            defaultValue={pais}
            none="Todos"
            options={COUNTRIES}
          />
          <SelectInput key={`gold ${gold}`} label="Gold" name="gold" defaultValue={gold}>
            <option value="">Todos</option>
            <option value="si">Con Gold</option>
            <option value="no">Sin Gold</option>
          </SelectInput>
          <Button type="submit" variant="soft">
            Filtrar
          </Button>
        </Form>
        {list === null && <ErrorState title="No se pudieron cargar los psicólogos" />}
        {list?.items.length === 0 && (
          <EmptyState
            title={filtered ? "Nadie con estos filtros." : "Todavía no hay psicólogos."}
            action={filtered && <Link to="/admin/psicologos">Quitar los filtros</Link>}
          />
        )}
        {list && list.items.length > 0 && (
          <div className="admin-compact-list">
            {list.items.map((psychologist) => (
              <Fragment key={psychologist.id}>
                <UndoBanners of={strips.get(psychologist.id)} />
                <PsychologistRow psychologist={psychologist} failed={failedOf(psychologist.id)} />
              </Fragment>
            ))}
          </div>
        )}
        <UndoBanners of={strips.get("")} />
        {list?.next_cursor && (
          <LoadMore to={`?${new URLSearchParams({ ...query, cursor: list.next_cursor })}`}>Ver más</LoadMore>
        )}
      </section>
    </>
  );
}

type PsychologistRowProps = { psychologist: AdminPsychologistView; failed: FailedDecision | null };

function PsychologistRow({ psychologist, failed }: PsychologistRowProps) {
  const { id, full_name, email, license_number, specialty, country, verified_at, rejected_at, check_due } =
    psychologist;
  return (
    <article id={`d-${id}`} className="rows admin-compact-row admin-compact-row--person" aria-labelledby={`p-${id}`}>
      <VersionConflict failed={failed} />
      <Avatar name={full_name} src={psychologist.avatar_url} />
      <div>
        <h3 id={`p-${id}`}>
          <Link to={href("/psicologo/:id", { id })}>{full_name}</Link>
        </h3>
        <p className="admin-row__badges">
          {psychologist.is_verified ? <VerifiedBadge /> : <PendingBadge />}
          {psychologist.has_gold && <GoldBadge />}
          {rejected_at && <Badge tone="wait">Rechazado</Badge>}
          {check_due && <Badge tone="wait">Comprobar de nuevo</Badge>}
        </p>
      </div>
      <div className="text-muted">
        <p>Matrícula {license_number}</p>
        <p>{country ?? "Falta el país"}</p>
        {specialty && <p>{specialty}</p>}
      </div>
      <div className="text-muted">
        <p className="text-muted small admin-row__details">
          {psychologist.rating !== null && (
            <Rating value={psychologist.rating} count={pluralize(psychologist.total_reviews, "reseña", "reseñas")} />
          )}
          {psychologist.total_responses > 0 && (
            <span>{pluralize(psychologist.total_responses, "respuesta", "respuestas")}</span>
          )}
        </p>
        <p>
          {verified_at ? "Matrícula comprobada" : "Se registró"}{" "}
          <RelativeTime datetime={verified_at ?? psychologist.created_at} />
        </p>
        <p>
          <MailLink email={email} />
        </p>
        <p>
          <GoldLink of={psychologist}>{psychologist.has_gold ? "Ver su Gold" : "Otorgar Gold"}</GoldLink>
        </p>
      </div>
      {check_due && (
        <div className="rows admin-compact-row__due">
          <div>
            <p>Han pasado 12 meses desde que se comprobó esta matrícula. Dónde se comprueba:</p>
            <Registers country={country} whose={full_name} />
          </div>
          <ApproveReject key={psychologist.version} psychologist={psychologist} again failed={failed} />
        </div>
      )}
    </article>
  );
}
