import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { pluralize } from "#app/lib/format.ts";
import { Badge } from "#app/ui/badge.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { MailKind } from "#server/mail/queues.ts";
import type { UndeliveredMailView } from "#shared/admin.ts";
import { ListHeader } from "./list-header.tsx";
import { type FailedDecision, VersionConflict } from "./use-decisions.tsx";

export function UndeliveredMails({
  list,
  failedOf,
}: {
  list: UndeliveredMailView[] | null;
  failedOf(id: string): FailedDecision | null;
}) {
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
