import { Fragment } from "react";
import { Link } from "react-router";
import { ListHeader } from "#app/admin/list-header.tsx";
import { tabPath, tabPathWith } from "#app/admin/tabs.ts";
import { groupUndoBanners, UndoBanners } from "#app/admin/undo-banners.tsx";
import {
  ChangedBadge,
  type FailedDecision,
  isVersionConflict,
  VersionConflictMessage,
} from "#app/admin/version-conflict.tsx";
import { formatList } from "#app/lib/format-list.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState } from "#app/ui/empty-state.tsx";
import { ErrorState, Retry } from "#app/ui/error-state.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { ClockIcon, RepeatIcon } from "#app/ui/more-icons.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PendingPsychologistView, UndoableDecisionView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import { HOUR } from "#shared/time.ts";
import { ApproveReject } from "./approve-reject.tsx";
import { Licence } from "./licence.tsx";
import "#app/admin/row.css";

const VERIFIED_FIELDS: Record<string, string> = {
  full_name: "su nombre",
  license_number: "su matrícula",
  country: "su país",
};

/** Maximum duration of a review that we promise to psychologists. */
const PROMISED_HOURS = 48;

/** Lists pending psychologists, oldest first, with their licence data. */
export function PendingPsychologists({
  list,
  more,
  further,
  now,
  actionError,
  undoable,
}: {
  list: PendingPsychologistView[] | null;
  /** True if there is a next page. */
  more: boolean;
  /** True if this is not the first page. */
  further: boolean;
  now: string;
  actionError: FailedDecision | null;
  undoable: UndoableDecisionView[] | null;
}) {
  const strips = groupUndoBanners(undoable, ["approved", "rejected"], list ?? [], "oldest first");
  return (
    <section aria-labelledby="pending">
      <ListHeader id="pending" title="Psicólogos pendientes">
        Quien se registró primero aparece primero. Al aprobar o rechazar, la persona recibe un correo.
      </ListHeader>
      <div className="admin-list">
        {list === null && <ErrorState title="No se pudieron cargar los psicólogos pendientes" action={<Retry />} />}
        {further && <Link to={tabPath("pendientes")}>Ver desde el principio</Link>}
        {list?.length === 0 && !further && (
          <EmptyState title="Nadie espera verificación.">
            Cuando alguien se registre con su matrícula, aparecerá aquí.
          </EmptyState>
        )}
        {list?.map((psychologist) => (
          <Fragment key={psychologist.id}>
            <UndoBanners of={strips.get(psychologist.id)} />
            <Applicant
              psychologist={psychologist}
              now={now}
              actionError={actionError?.id === psychologist.id ? actionError : null}
            />
          </Fragment>
        ))}
        <UndoBanners of={strips.get("")} />
        {more && list && (
          <LoadMore to={list.length < LIMITS.adminPending ? null : tabPathWith({}, { despues: list.at(-1)!.id })}>
            Ver más
          </LoadMore>
        )}
      </div>
    </section>
  );
}

function Applicant({
  psychologist,
  now,
  actionError,
}: {
  psychologist: PendingPsychologistView;
  now: string;
  actionError: FailedDecision | null;
}) {
  const { id, full_name, email, country, license_number, specialty, phone, whatsapp, bio } = psychologist;
  const since = psychologist.changed_since_check ?? [];
  const changed = [
    ...((isVersionConflict(actionError?.actionError) && actionError?.actionError.details?.changed) || []),
    ...since,
  ];
  const mark = (field: string) => changed.includes(field) && <ChangedBadge />;
  const gaps = [
    { field: "specialty", name: "especialidad", value: specialty },
    { field: "bio", name: "biografía", value: bio },
    { field: "phone", name: "teléfono", value: phone },
    { field: "whatsapp", name: "WhatsApp", value: whatsapp },
  ].filter(({ value }) => !value);
  const overdue =
    !psychologist.rejected_at &&
    !since.length &&
    Date.parse(now) - Date.parse(psychologist.created_at) > PROMISED_HOURS * HOUR;
  const heading = `applicant-${id}`;
  return (
    <article id={`d-${id}`} className="admin-row" aria-labelledby={heading}>
      {isVersionConflict(actionError?.actionError) && (
        <VersionConflictMessage key={actionError.at} actionError={actionError.actionError} />
      )}
      <div className="admin-row__person">
        <Avatar name={full_name} src={psychologist.avatar_url} />
        <div>
          <h3 id={heading}>
            {full_name}
            {mark("full_name")}
          </h3>
          {(overdue || psychologist.rejected_at || since.length > 0) && (
            <p className="admin-row__badges">
              {since.length > 0 && (
                <Badge tone="wait" icon={<RepeatIcon size="s" />}>
                  {`Verificado antes; cambió ${formatList(since.map((field) => VERIFIED_FIELDS[field] ?? field))}`}
                </Badge>
              )}
              {overdue && (
                <Badge tone="wait" icon={<ClockIcon size="s" />}>
                  Pasó de {PROMISED_HOURS} horas
                </Badge>
              )}
              {psychologist.rejected_at && (
                <Badge icon={<RepeatIcon size="s" />}>
                  Rechazado <RelativeTime datetime={psychologist.rejected_at} now={now} />
                </Badge>
              )}
            </p>
          )}
          <p className="admin-row__details">
            {specialty && (
              <span>
                {specialty}
                {mark("specialty")}
              </span>
            )}
            <span>
              Se registró <RelativeTime datetime={psychologist.created_at} now={now} />
            </span>
          </p>
          {gaps.length > 0 && (
            <p className="admin-row__status">
              <span>
                <b>Falta:</b> {formatList(gaps.map(({ name }) => name))}
                {gaps.some(({ field }) => changed.includes(field)) && <ChangedBadge />}
              </span>
            </p>
          )}
          {gaps.length === 0 && country && (
            <p className="admin-row__status">
              <CheckIcon size="s" /> Ficha completa
            </p>
          )}
          <p>
            <a href={`mailto:${email}`}>{email}</a>
            {mark("email")}
          </p>
          {(phone || whatsapp) && (
            <p className="admin-row__details">
              {phone && (
                <span>
                  Teléfono {phone}
                  {mark("phone")}
                </span>
              )}
              {whatsapp && (
                <span>
                  WhatsApp {whatsapp}
                  {mark("whatsapp")}
                </span>
              )}
            </p>
          )}
          {bio && (
            <details className="admin-row__bio" open={changed.includes("bio")}>
              <summary>
                {mark("bio")} {bio}
              </summary>
            </details>
          )}
        </div>
      </div>
      <Licence number={license_number} country={country} changed={changed} whose={full_name} />
      <ApproveReject
        key={psychologist.version}
        id={id}
        version={psychologist.version}
        fullName={full_name}
        actionError={actionError}
      />
    </article>
  );
}
