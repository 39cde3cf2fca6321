import { Form } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { ErrorState, Retry } from "#app/ui/empty-state.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { UndeliveredMailView } from "#shared/moderation.ts";
import { useDeciding } from "./deciding.ts";

/** Mails that could not be sent, with what went wrong. */
export function UndeliveredMails({ list, now }: { list: UndeliveredMailView[] | null; now: string }) {
  return (
    <section aria-labelledby="mails">
      <h2 id="mails" className="h-l">
        Correos sin entregar
      </h2>
      <div className="mt-[1.25rem] grid gap-[1rem]">
        {list === null && <ErrorState title="No se pudieron cargar los correos" action={<Retry />} />}
        {list?.length === 0 && <p className="soft">Todos los correos salieron.</p>}
        {list?.map((mail) => (
          <Mail key={mail.id} mail={mail} now={now} />
        ))}
      </div>
    </section>
  );
}

const MAIL_KINDS: Readonly<Record<string, string>> = {
  confirm_registration: "Confirmación de registro",
  recover_password: "Recuperación de contraseña",
  password_changed: "Aviso de contraseña cambiada",
  confirm_email_change: "Confirmación de correo nuevo",
  email_changed: "Aviso de correo cambiado",
  second_factor_changed: "Aviso de verificación en dos pasos",
  account_deleted: "Aviso de cuenta eliminada",
  psychologist_approved: "Aprobación de psicólogo",
  psychologist_rejected: "Rechazo de psicólogo",
  membership_receipt: "Recibo de membresía",
};

function Mail({ mail, now }: { mail: UndeliveredMailView; now: string }) {
  const deciding = useDeciding(mail.id);
  const name = MAIL_KINDS[mail.kind] ?? mail.kind;
  return (
    <article className="panel stack [--gap:.5rem]" aria-label={name}>
      <div className="row between">
        <h3 className="h-s">{name}</h3>
        <Badge tone={mail.gave_up ? "wait" : "plain"}>{mail.gave_up ? "Abandonado" : "Se reintenta solo"}</Badge>
      </div>
      <p className="faint">
        Creado <RelativeTime datetime={mail.created_at} now={now} /> · {counted(mail.attempts, "intento", "intentos")}
      </p>
      <p className="wrap-anywhere">{mail.last_error ?? "Sin detalle del error"}</p>
      <Form method="post">
        <input type="hidden" name="decision" value="retry" />
        <input type="hidden" name="id" value={mail.id} />
        <Button type="submit" variant="soft" small busy={deciding("retry")} busyText="Reintentando…">
          Reintentar<span className="sr"> el correo: {name}</span>
        </Button>
      </Form>
    </article>
  );
}
