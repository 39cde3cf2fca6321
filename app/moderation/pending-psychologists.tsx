import { Form } from "react-router";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { EmptyState, ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { PlainText } from "#app/ui/text.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { Country } from "#shared/lists.ts";
import type { PendingPsychologistView } from "#shared/moderation.ts";
import { useDeciding } from "./deciding.ts";
import { REGISTERS } from "./registers.ts";

/** A rejection that was refused: of whom, with the reason as it was typed and what is wrong with it. */
export type RefusedRejection = { id: string; reason: string; error: string | undefined };

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
  const deciding = useDeciding(psychologist.id);
  const { full_name, email, country, license_number, specialty, phone, whatsapp, bio } = psychologist;
  const register = country === null ? undefined : REGISTERS[country as Country];
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
            {register ? (
              <a href={register.url} target="_blank" rel="noopener noreferrer">
                {register.name}
                <span className="sr"> (se abre en otra pestaña)</span>
              </a>
            ) : (
              "Pregúntale su país: sin él no se sabe en qué registro buscar."
            )}
          </dd>
        </div>
      </dl>
      <div>
        <p className="faint">Biografía</p>
        {bio ? <PlainText text={bio} className="prose" /> : <p>Sin dato</p>}
      </div>
      <div className="row items-start!">
        <Form method="post">
          <input type="hidden" name="decision" value="approve" />
          <input type="hidden" name="id" value={psychologist.id} />
          <Button type="submit" small icon={<CheckIcon size="s" />} busy={deciding("approve")} busyText="Aprobando…">
            Aprobar<span className="sr"> a {full_name}</span>
          </Button>
        </Form>
        <details className="open:basis-full" open={refused !== null && refused.reason !== ""}>
          <summary className="btn btn--danger btn--s list-none [&::-webkit-details-marker]:hidden">
            Rechazar<span className="sr"> a {full_name}</span>
          </summary>
          <Form method="post" className="stack mt-[1rem] max-w-[42rem]">
            <input type="hidden" name="decision" value="reject" />
            <input type="hidden" name="id" value={psychologist.id} />
            <TextArea
              label="Motivo"
              optional
              name="reason"
              rows={3}
              maxLength={LIMITS.rejectionReason.max}
              defaultValue={refused?.reason}
              hint="Va en el correo que recibe la persona, que sigue en esta lista."
              error={refused?.error}
            />
            <Button type="submit" variant="danger" small busy={deciding("reject")} busyText="Rechazando…">
              Confirmar el rechazo
            </Button>
          </Form>
        </details>
      </div>
    </article>
  );
}
