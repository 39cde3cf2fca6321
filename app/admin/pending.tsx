import { Fragment } from "react";
import { Link } from "react-router";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formatList } from "#app/lib/format.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { PendingPsychologistView } from "#shared/admin.ts";
import { HOUR } from "#shared/time.ts";
import type { Route } from "./+types/pending.ts";
import { ApproveReject } from "./approve-reject.tsx";
import { ChangedBadge, Licence } from "./licence.tsx";
import { MailLink } from "./links.tsx";
import { ListHeader } from "./list-header.tsx";
import { approve, loadSection, reject, sectionAction, undo } from "./section.server.ts";
import { UndeliveredMails } from "./undelivered-mails.tsx";
import { groupUndoBanners, UndoBanners } from "./undo-banners.tsx";
import { type FailedDecision, useDecisions, VersionConflict } from "./use-decisions.tsx";

const VERIFIED_FIELDS: Record<string, string> = {
  full_name: "su nombre",
  license_number: "su matrícula",
  country: "su país",
};

/** Maximum duration of a review that we promise to psychologists. */
const PROMISED_HOURS = 48;

export const handle: FailureHandle = {
  failed: {
    load: failure("No se pudieron cargar los psicólogos pendientes"),
    "lost approve": failure("No se pudo actualizar el estado de verificación"),
    "lost reject": failure("No se pudo actualizar el estado de verificación"),
  },
};

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api: { admin }, given, orNull, now }) => {
    const [list, undoable, mails] = await Promise.all([
      orNull(admin.pendingPsychologists({ cursor: given("cursor") })),
      orNull(admin.undoable({})),
      orNull(admin.undeliveredMails({})),
    ]);
    const promised = new Date(now.getTime() - PROMISED_HOURS * HOUR).toISOString();
    return { list, undoable, mails, promised };
  });

export const action = sectionAction({
  approve: approve("psychologist_approved"),
  reject,
  undo,
  retry: async ({ admin }, { id, version }) => {
    await admin.retryMail({ id, version });
    return "mail_retried";
  },
});

export const shouldRevalidate = reloadAfterConflict;

/** Lists pending psychologists, oldest first, with their licence data, and undelivered mails. */
export default function Pending({ loaderData, actionData }: Route.ComponentProps) {
  const { list, undoable, mails, promised, query } = loaderData;
  const pending = list?.items ?? [];
  const { failedOf, refusal } = useDecisions(actionData, [...pending, ...(mails ?? [])]);
  const strips = groupUndoBanners(
    undoable,
    ["psychologist_approved", "psychologist_rejected"],
    pending,
    "oldest first",
  );
  return (
    <>
      {refusal}
      <section aria-labelledby="pending">
        <ListHeader id="pending" title="Psicólogos pendientes">
          Quien se registró primero aparece primero. Al aprobar o rechazar, la persona recibe un correo.
        </ListHeader>
        <div className="rows admin-list">
          {list === null && <ErrorState title="No se pudieron cargar los psicólogos pendientes" />}
          {query.cursor && <Link to="/admin">Ver desde el principio</Link>}
          {list?.items.length === 0 && !query.cursor && (
            <EmptyState title="Nadie espera verificación.">
              Cuando alguien se registre con su matrícula, aparecerá aquí.
            </EmptyState>
          )}
          {pending.map((psychologist) => (
            <Fragment key={psychologist.id}>
              <UndoBanners of={strips.get(psychologist.id)} />
              <Applicant psychologist={psychologist} promised={promised} failed={failedOf(psychologist.id)} />
            </Fragment>
          ))}
          <UndoBanners of={strips.get("")} />
          {list?.next_cursor && <LoadMore to={`?cursor=${list.next_cursor}`}>Ver más</LoadMore>}
        </div>
      </section>
      <UndeliveredMails list={mails} failedOf={failedOf} />
    </>
  );
}

function Applicant({
  psychologist,
  promised,
  failed,
}: {
  psychologist: PendingPsychologistView;
  /** Psychologists who registered earlier have waited too long. */
  promised: string;
  failed: FailedDecision | null;
}) {
  const { id, full_name, email, country, license_number, specialty, phone, whatsapp, bio } = psychologist;
  const since = psychologist.changed_since_check ?? [];
  const gaps = Object.entries({ especialidad: specialty, biografía: bio, teléfono: phone, WhatsApp: whatsapp })
    .filter(([, value]) => !value)
    .map(([name]) => name);
  const overdue = !psychologist.rejected_at && !since.length && psychologist.created_at < promised;
  const heading = `applicant-${id}`;
  return (
    <article id={`d-${id}`} className="rows admin-row" aria-labelledby={heading}>
      <VersionConflict failed={failed} />
      <div className="admin-row__person">
        <Avatar name={full_name} src={psychologist.avatar_url} />
        <div>
          <h3 id={heading} className="title-s">
            {full_name}
            {since.includes("full_name") && <ChangedBadge />}
          </h3>
          {(overdue || psychologist.rejected_at || since.length > 0) && (
            <p className="admin-row__badges">
              {since.length > 0 && (
                <Badge tone="wait" icon={<Icon name="repeat" size="s" />}>
                  {`Verificado antes; cambió ${formatList(since.map((field) => VERIFIED_FIELDS[field] ?? field))}`}
                </Badge>
              )}
              {overdue && (
                <Badge tone="wait" icon={<Icon name="clock" size="s" />}>
                  Pasó de {PROMISED_HOURS} horas
                </Badge>
              )}
              {psychologist.rejected_at && (
                <Badge icon={<Icon name="repeat" size="s" />}>
                  Rechazado <RelativeTime datetime={psychologist.rejected_at} />
                </Badge>
              )}
            </p>
          )}
          <p className="text-muted small admin-row__details">
            {specialty && <span>{specialty}</span>}
            <span>
              Se registró <RelativeTime datetime={psychologist.created_at} />
            </span>
          </p>
          {gaps.length > 0 && (
            <p className="small admin-row__status">
              <span>
                <b>Falta:</b> {formatList(gaps)}
              </span>
            </p>
          )}
          {gaps.length === 0 && country && (
            <p className="small admin-row__status">
              <Icon name="check" size="s" /> Ficha completa
            </p>
          )}
          <p>
            <MailLink email={email} />
          </p>
          {(phone || whatsapp) && (
            <p className="text-muted small admin-row__details">
              {phone && <span>Teléfono {phone}</span>}
              {whatsapp && <span>WhatsApp {whatsapp}</span>}
            </p>
          )}
          {bio && (
            <details className="admin-row__bio">
              <summary className="text-muted small admin-row__text">{bio}</summary>
            </details>
          )}
        </div>
      </div>
      <Licence number={license_number} country={country} changed={since} whose={full_name} />
      <ApproveReject
        key={psychologist.version}
        id={id}
        version={psychologist.version}
        fullName={full_name}
        failed={failed}
      />
    </article>
  );
}
