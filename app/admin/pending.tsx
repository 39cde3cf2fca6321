import { Fragment } from "react";
import { Link } from "react-router";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { type FailureHandle, failure } from "#app/lib/client-error-messages.ts";
import { formAction } from "#app/lib/form-action.server.ts";
import { formatList, pluralize } from "#app/lib/format.ts";
import { reloadAfterConflict } from "#app/lib/reload-after-conflict.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { EmptyState, ErrorState } from "#app/ui/empty-state.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { LoadMore } from "#app/ui/load-more.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { MailKind } from "#server/mail/queues.ts";
import type { PendingPsychologistView, UndeliveredMailView } from "#shared/admin.ts";
import { HOUR } from "#shared/time.ts";
import type { Route } from "./+types/pending.ts";
import { ApproveReject } from "./approve-reject.tsx";
import { ChangedBadge, Licence } from "./licence.tsx";
import { type FailedDecision, ListHeader, MailLink, useDecisions, VersionConflict } from "./parts.tsx";
import { approve, decide, loadSection, reject, undo } from "./section.server.ts";
import { groupUndoBanners, UndoBanners } from "./undo-banners.tsx";

const VERIFIED_FIELDS: Record<string, string> = {
  full_name: "su nombre",
  license_number: "su matrícula",
  country: "su país",
};

const PROMISED_HOURS = 48;

export const handle: FailureHandle = {
  failed: {
    load: failure("No se pudieron cargar los psicólogos pendientes"),
    "lost approve": failure("No se pudo actualizar el estado de verificación"),
    "lost reject": failure("No se pudo actualizar el estado de verificación"),
  },
};

export const loader = (args: Route.LoaderArgs) =>
  loadSection(args, async ({ api: { admin }, orNull, query, now }) => {
    const [list, undoable, mails] = await Promise.all([
      orNull(admin.pendingPsychologists({ cursor: query.cursor })),
      orNull(admin.undoable({})),
      orNull(admin.undeliveredMails({})),
    ]);
    const promised = new Date(now.getTime() - PROMISED_HOURS * HOUR).toISOString();
    return { list, undoable, mails, promised };
  });

export const action = formAction({
  approve: approve("psychologist_approved"),
  reject,
  undo,
  retry: decide("mail_retried", ({ api, input }) => api.admin.retryMail(input("id", "version"))),
});

export const shouldRevalidate = reloadAfterConflict;

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

type ApplicantProps = { psychologist: PendingPsychologistView; promised: string; failed: FailedDecision | null };

function Applicant({ psychologist, promised, failed }: ApplicantProps) {
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
      <ApproveReject key={psychologist.version} psychologist={psychologist} failed={failed} />
    </article>
  );
}

type UndeliveredMailsProps = { list: UndeliveredMailView[] | null; failedOf(id: string): FailedDecision | null };

function UndeliveredMails({ list, failedOf }: UndeliveredMailsProps) {
  return (
    <section aria-labelledby="mails">
      <ListHeader id="mails" title="Correos sin entregar">
        {list?.length ? "Se reintentan solos; si alguno se abandona, aquí se ve por qué." : null}
      </ListHeader>
      <div className={list?.length ? "admin-compact-list" : undefined}>
        {list === null && <ErrorState title="No se pudieron cargar los correos" />}
        {list?.length === 0 && <p className="text-muted">Todos los correos han salido.</p>}
        {list?.map((mail) => (
          <Mail key={mail.id} mail={mail} failed={failedOf(mail.id)} />
        ))}
      </div>
    </section>
  );
}

const MAIL_KINDS: Record<MailKind, string> = {
  confirm_registration: "Confirmación de registro",
  recover_password: "Recuperación de contraseña",
  sign_in_paused: "Aviso de entrada en pausa",
  password_changed: "Aviso de contraseña cambiada",
  confirm_email_change: "Confirmación de correo nuevo",
  email_changed: "Aviso de correo cambiado",
  second_factor_changed: "Aviso de verificación en dos pasos",
  account_deleted: "Aviso de cuenta eliminada",
  psychologist_approved: "Aprobación de psicólogo",
  psychologist_rejected: "Rechazo de psicólogo",
  membership_receipt: "Recibo de membresía",
  membership_cancelled: "Aviso de membresía cancelada",
  gold_granted: "Aviso de Gold otorgado",
  gold_ended: "Aviso de Gold terminado",
  payment_mismatch: "Pago que no coincide con el plan",
  new_answer: "Aviso de novedades",
  digest: "Resumen diario",
};

/** Meaning of a mail server's refusal (RFC 5321, RFC 3463) or a failed connection. The first match counts. */
const REFUSALS: readonly [RegExp, string][] = [
  [/(^|: )(?:[45]52|[45]\d\d[ -][45]\.2\.2)\b/, "El buzón está lleno."],
  [/(^|: )55[013]\b(?![ -]5\.7)/, "El buzón no existe o no acepta correo."],
  [/(^|: )4\d\d\b/, "El servidor de correo no lo acepta por ahora."],
  [/(^|: )5\d\d\b/, "El servidor de correo lo ha rechazado."],
  [/connect|ENOTFOUND|EAI_AGAIN|ECONN|ETIMEDOUT|greeting|timeout/i, "No se puede llegar al servidor de correo."],
];

function Mail({ mail, failed }: { mail: UndeliveredMailView; failed: FailedDecision | null }) {
  const name = (MAIL_KINDS as Record<string, string>)[mail.kind] ?? mail.kind;
  return (
    <article id={`d-${mail.id}`} className="rows admin-compact-row" aria-label={name}>
      <VersionConflict failed={failed} />
      <div>
        <h3>{name}</h3>
        <p className="admin-row__badges">
          <Badge tone={mail.gave_up ? "wait" : "plain"}>{mail.gave_up ? "Abandonado" : "Se reintenta solo"}</Badge>
        </p>
        <p className="text-muted small admin-row__details">
          <span>
            Creado <RelativeTime datetime={mail.created_at} />
          </span>
          <span>{pluralize(mail.attempts, "intento", "intentos")}</span>
        </p>
        {mail.last_error && (
          <p className="text-muted">
            {REFUSALS.find(([pattern]) => pattern.test(mail.last_error!))?.[1]} <span lang="en">{mail.last_error}</span>
          </p>
        )}
        {mail.kind === "new_answer" && (
          <p className="text-muted">Los detalles de estos avisos no se muestran: protegen a quien preguntó.</p>
        )}
      </div>
      <ActionForm fields={{ intent: "retry", id: mail.id, version: mail.version }} preventScrollReset>
        <SubmitButton variant="soft" small busyText="Reintentando…">
          Reintentar<span className="visually-hidden"> el correo: {name}</span>
        </SubmitButton>
      </ActionForm>
    </article>
  );
}
