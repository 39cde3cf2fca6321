import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { PlainText } from "#app/ui/text.tsx";
import type { PendingPsychologistView } from "#shared/moderation.ts";
import { Decisions, type RefusedRejection } from "./decisions.tsx";
import { Registers } from "./registers.tsx";

/** Who waits to be verified, the longest first, with what the administrator needs to check a licence. */
export function PendingPsychologists({
  list,
  now,
  refused,
}: {
  list: PendingPsychologistView[] | null;
  now: string;
  refused: RefusedRejection | null;
}) {
  return (
    <section aria-labelledby="pending">
      <h2 id="pending" className="h-l">
        Psicólogos pendientes
      </h2>
      <p className="soft mt-[.25rem]">
        Quien se registró primero aparece primero. Al aprobar o rechazar, la persona recibe un correo.
      </p>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && <ErrorState title="No se pudieron cargar los psicólogos pendientes" action={<Retry />} />}
        {list?.length === 0 && (
          <EmptyState title="Nadie espera verificación.">
            Cuando alguien se registre con su matrícula, aparecerá aquí.
          </EmptyState>
        )}
        {list?.map((psychologist) => (
          <Applicant
            key={psychologist.id}
            psychologist={psychologist}
            now={now}
            refused={refused?.id === psychologist.id ? refused : null}
          />
        ))}
      </div>
    </section>
  );
}

function Applicant({
  psychologist,
  now,
  refused,
}: {
  psychologist: PendingPsychologistView;
  now: string;
  refused: RefusedRejection | null;
}) {
  const { full_name, email, country, license_number, specialty, phone, whatsapp, bio } = psychologist;
  const facts: [string, string | null][] = [
    ["Matrícula o registro", license_number],
    ["País", country],
    ["Especialidad", specialty],
    ["Teléfono", phone],
    ["WhatsApp", whatsapp],
  ];
  const heading = `applicant-${psychologist.id}`;
  return (
    <article className="panel stack" aria-labelledby={heading}>
      <div className="row flex-nowrap! items-start!">
        <Avatar name={full_name} src={psychologist.avatar_url} size="l" />
        <div className="min-w-0">
          <h3 id={heading} className="h-s">
            {full_name}
          </h3>
          <p className="wrap-anywhere">
            <a href={`mailto:${email}`}>{email}</a>
          </p>
          <p className="faint">
            Se registró <RelativeTime datetime={psychologist.created_at} now={now} />
          </p>
        </div>
      </div>
      {psychologist.rejected_at && (
        <Badge tone="wait">
          Rechazado <RelativeTime datetime={psychologist.rejected_at} now={now} />
        </Badge>
      )}
      <dl className="grid grid-cols-2 gap-x-[1.5rem] gap-y-[.75rem] sm:grid-cols-[repeat(auto-fill,minmax(12rem,1fr))]">
        {facts.map(([term, value]) => (
          <div key={term}>
            <dt className="faint">{term}</dt>
            <dd className="wrap-anywhere">{value ?? "Sin dato"}</dd>
          </div>
        ))}
        <div className="col-span-2">
          <dt className="faint">Dónde se comprueba</dt>
          <dd>
            <Registers country={country} />
          </dd>
        </div>
      </dl>
      <div>
        <p className="faint">Biografía</p>
        {bio ? <PlainText text={bio} className="prose" /> : <p>Sin dato</p>}
      </div>
      <Decisions id={psychologist.id} fullName={full_name} refused={refused} />
    </article>
  );
}
