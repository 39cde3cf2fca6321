import { Form } from "react-router";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { LIMITS } from "#shared/limits.ts";
import { useDeciding } from "./deciding.ts";

/** A rejection that was refused: of whom, with the reason as it was typed and what is wrong with it. */
export type RefusedRejection = { id: string; reason: string; error: string | undefined };

const FIRST = {
  decision: "approve",
  yes: "Aprobar",
  busy: "Aprobando…",
  no: "Rechazar",
  hint: "Va en el correo que recibe la persona, que sigue en esta lista.",
};
const AGAIN = {
  decision: "renew",
  yes: "Sigue vigente",
  busy: "Guardando…",
  no: "Ya no está vigente",
  hint: "Va en el correo que recibe la persona, que vuelve a los pendientes y no podrá responder.",
};

/** What the administrator found in the register: a form that approves, and one that rejects with a reason. */
export function Decisions({
  id,
  fullName,
  again = false,
  refused = null,
}: {
  id: string;
  fullName: string;
  /** The licence had been checked before, and the check has lapsed. */
  again?: boolean;
  refused?: RefusedRejection | null;
}) {
  const deciding = useDeciding(id);
  const { decision, yes, busy, no, hint } = again ? AGAIN : FIRST;
  const whom = again ? `: la matrícula de ${fullName}` : ` a ${fullName}`;
  return (
    <div className="row items-start!">
      <Form method="post">
        <input type="hidden" name="decision" value={decision} />
        <input type="hidden" name="id" value={id} />
        <Button type="submit" small icon={<CheckIcon size="s" />} busy={deciding(decision)} busyText={busy}>
          {yes}
          <span className="sr">{whom}</span>
        </Button>
      </Form>
      <details className="open:basis-full" open={refused !== null && refused.reason !== ""}>
        <summary className="btn btn--danger btn--s list-none [&::-webkit-details-marker]:hidden">
          {no}
          <span className="sr">{whom}</span>
        </summary>
        <Form method="post" className="stack mt-[1rem] max-w-[42rem]">
          <input type="hidden" name="decision" value="reject" />
          <input type="hidden" name="id" value={id} />
          <TextArea
            label="Motivo"
            optional
            name="reason"
            rows={3}
            maxLength={LIMITS.rejectionReason.max}
            defaultValue={refused?.reason}
            hint={hint}
            error={refused?.error}
          />
          <Button type="submit" variant="danger" small busy={deciding("reject")} busyText="Rechazando…">
            Confirmar el rechazo
          </Button>
        </Form>
      </details>
    </div>
  );
}
