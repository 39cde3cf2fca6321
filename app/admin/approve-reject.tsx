import { type KeyboardEvent, useRef } from "react";
import { Form } from "react-router";
import { useSubmittingForm } from "#app/lib/submitting.ts";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { CheckIcon } from "#app/ui/icon.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { FailedDecision } from "./decisions.tsx";
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

/**
 * Forms that approve a psychologist, or reject with a reason. The rejection form opens below the row
 * (`approve-reject.css`). Escape closes it.
 *
 * Use the version as the React key, so that a typed reason does not survive a decision.
 */
export function ApproveReject({
  id,
  version,
  fullName,
  again = false,
  failed,
}: {
  id: string;
  version: string;
  fullName: string;
  /** True if an earlier check of the licence has expired. */
  again?: boolean;
  failed: FailedDecision | null;
}) {
  const submitting = useSubmittingForm();
  const { decision, yes, busy, no, hint } = again ? AGAIN : FIRST;
  const whom = again ? `: la matrícula de ${fullName}` : ` a ${fullName}`;
  const reject = useRef<HTMLDetailsElement>(null);
  const close = (event: KeyboardEvent) => {
    if (event.key !== "Escape" || !reject.current) return;
    reject.current.open = false;
    reject.current.querySelector("summary")?.focus();
  };
  return (
    <>
      <div className="decision-buttons">
        <Form method="post" preventScrollReset>
          <input type="hidden" name="intent" value={decision} />
          <input type="hidden" name="id" value={id} />
          <input type="hidden" name="version" value={version} />
          <Button
            type="submit"
            small
            className="decision-buttons__approve"
            icon={<CheckIcon size="s" />}
            busy={submitting({ intent: decision, id })}
            busyText={busy}
          >
            {yes}
            <span className="visually-hidden">{whom}</span>
          </Button>
        </Form>
        <details ref={reject} open={Boolean(failed?.reason)}>
          <summary className="button button--small decision-buttons__reject">
            {no}
            <span className="visually-hidden">{whom}</span>
          </summary>
        </details>
      </div>
      <Form method="post" preventScrollReset className="rejection-form" aria-label={`${no}${whom}`} onKeyDown={close}>
        <input type="hidden" name="intent" value="reject" />
        <input type="hidden" name="id" value={id} />
        <input type="hidden" name="version" value={version} />
        <TextArea
          label={
            <>
              Motivo<span className="visually-hidden"> del rechazo de {fullName}</span>
            </>
          }
          optional
          name="reason"
          rows={3}
          maxLength={LIMITS.rejectionReason.max}
          defaultValue={failed?.reason}
          hint={hint}
          error={failed?.actionError.fields?.reason}
        />
        <Button type="submit" variant="danger" small busy={submitting({ intent: "reject", id })} busyText="Rechazando…">
          Confirmar el rechazo<span className="visually-hidden"> de {fullName}</span>
        </Button>
      </Form>
    </>
  );
}
