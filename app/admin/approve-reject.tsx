import { type KeyboardEvent, useRef } from "react";
import { ActionForm, SubmitButton } from "#app/components/action-form.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { PendingPsychologistView } from "#shared/admin.ts";
import { LIMITS } from "#shared/limits.ts";
import type { FailedDecision } from "./parts.tsx";
import "./approve-reject.css";

const FIRST = {
  decision: "approve",
  yes: "Aprobar",
  busy: "Aprobando…",
  no: "Rechazar",
  hint: "La persona lo lee en el correo que le enviamos. Sigue en esta lista.",
} as const;
const AGAIN = {
  decision: "renew",
  yes: "Sigue vigente",
  busy: "Guardando…",
  no: "Ya no está vigente",
  hint: "La persona lo lee en el correo que le enviamos. Vuelve a los pendientes y no podrá responder.",
} as const;

interface ApproveRejectProps {
  psychologist: Pick<PendingPsychologistView, "id" | "version" | "full_name">;
  again?: boolean;
  failed: FailedDecision | null;
}

/** Use the version as the React key, so that a typed reason does not survive a decision. */
export function ApproveReject({ psychologist, again = false, failed }: ApproveRejectProps) {
  const { id, version, full_name } = psychologist;
  const { decision, yes, busy, no, hint } = again ? AGAIN : FIRST;
  const whom = again ? `: la matrícula de ${full_name}` : ` a ${full_name}`;
  const reject = useRef<HTMLDetailsElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !reject.current) return;
    reject.current.open = false;
    reject.current.querySelector("summary")?.focus();
  };
  return (
    <>
      <div className="decision-buttons">
        <ActionForm fields={{ intent: decision, id, version }} preventScrollReset>
          <SubmitButton
            small
            className="decision-buttons__approve"
            icon={<Icon name="check" size="s" />}
            busyText={busy}
          >
            {yes}
            <span className="visually-hidden">{whom}</span>
          </SubmitButton>
        </ActionForm>
        <details ref={reject} open={Boolean(failed?.typed?.reason)}>
          <summary className="button button--small button--reject">
            {no}
            <span className="visually-hidden">{whom}</span>
          </summary>
        </details>
      </div>
      <ActionForm
        fields={{ intent: "reject", id, version }}
        preventScrollReset
        className="rejection-form"
        aria-label={`${no}${whom}`}
        onKeyDown={close}
      >
        <TextArea
          label={
            <>
              Motivo<span className="visually-hidden"> del rechazo de {full_name}</span>
            </>
          }
          optional
          name="reason"
          rows={3}
          maxLength={LIMITS.rejectionReason.max}
          defaultValue={failed?.typed?.reason}
          hint={hint}
          error={failed?.errors.reason}
        />
        <SubmitButton variant="danger" small busyText="Rechazando…">
          Confirmar el rechazo<span className="visually-hidden"> de {full_name}</span>
        </SubmitButton>
      </ActionForm>
    </>
  );
}
