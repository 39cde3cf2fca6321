import { type ReactNode, useId } from "react";
import { href } from "react-router";
import { errorWords } from "#app/lib/error-words.ts";
import { GoldBadge, PendingBadge } from "#app/parts/badges.tsx";
import { Badge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { ConsultationDetailView } from "#shared/consultations.ts";
import { LIMITS } from "#shared/limits.ts";
import { answerDraft } from "./draft-keys.ts";
import { TextForm } from "./text-form.tsx";

/** Whether a psychologist may answer, and how many free answers are left. */
export type Answering = NonNullable<ConsultationDetailView["viewer"]["answering"]>;

/** The state of the professional's box in a pill. */
export function AnsweringBadge({ answering: { state, free_answers_left: left } }: { answering: Answering }) {
  if (state === "unlimited") return <GoldBadge label="Respuestas ilimitadas" />;
  if (state === "pending") return <PendingBadge />;
  if (state === "limit_reached") return <Badge tone="wait">Límite de respuestas gratuitas alcanzado</Badge>;
  return (
    <Badge>
      {left === 1
        ? `Te queda 1 de ${LIMITS.freeAnswers} respuestas gratuitas`
        : `Te quedan ${left} de ${LIMITS.freeAnswers} respuestas gratuitas`}
    </Badge>
  );
}

/** Says why a psychologist may not answer. */
function Why({ code, children }: { code: "not_verified" | "free_limit_reached"; children?: ReactNode }) {
  const { title, description } = errorWords(code);
  return (
    <p className="composer__why">
      <b>{title}.</b> {description}
      {children}
    </p>
  );
}

/** The form of an answer, or why there is none. */
export function AnsweringForm({
  consultationId,
  answering: { state },
  refused,
  value,
  inDialog,
  onSent,
}: {
  consultationId: string;
  answering: Answering;
  refused?: unknown;
  value?: string;
  inDialog?: boolean;
  onSent?: () => void;
}) {
  if (state === "pending") return <Why code="not_verified"> La revisión tarda entre 24 y 48 horas.</Why>;
  return (
    <>
      {state === "limit_reached" && (
        <>
          <Why code="free_limit_reached" />
          <p className="composer__way-out">
            <ButtonLink to="/planes" reloadDocument small>
              Ver la membresía Gold
            </ButtonLink>
          </p>
        </>
      )}
      <TextForm
        refused={refused}
        value={value}
        action={href("/consulta/:id/respuesta", { id: consultationId })}
        draft={answerDraft(consultationId)}
        label="Tu respuesta"
        hint="Se publica con tu nombre y tu matrícula. Evita diagnosticar; orienta, pregunta, acompaña."
        limit={LIMITS.answer}
        button="Enviar respuesta"
        disabled={state === "limit_reached"}
        inDialog={inDialog}
        onSent={onSent}
      />
    </>
  );
}

/** Leads to the list of answers, which begins with the new one. The empty form would invite to write another. */
function showAnswers(): void {
  const heading = document.getElementById("respuestas");
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "start" });
}

/** "Responder como Profesional", in each of its states (specification, section 2.6). */
export function ProfessionalBox({
  consultationId,
  answering,
  refused,
  value,
}: {
  consultationId: string;
  answering: Answering;
  refused?: unknown;
  value?: string;
}) {
  const headingId = useId();
  return (
    <section className="composer" id="responder" tabIndex={-1} aria-labelledby={headingId}>
      <div className="row row--apart">
        <h2 id={headingId} className="title-m">
          Responder como Profesional
        </h2>
        <AnsweringBadge answering={answering} />
      </div>
      <AnsweringForm
        consultationId={consultationId}
        answering={answering}
        refused={refused}
        value={value}
        onSent={showAnswers}
      />
    </section>
  );
}
