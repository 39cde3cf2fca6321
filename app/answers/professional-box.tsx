import { type ComponentProps, useId, useState } from "react";
import { href } from "react-router";
import { GoldBadge, PendingBadge } from "#app/components/badges.tsx";
import { WayToGold } from "#app/components/way-to-gold.tsx";
import { errorMessage } from "#app/lib/error-messages.ts";
import { Badge } from "#app/ui/badge.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { AnsweringView } from "#shared/answers.ts";
import { LIMITS } from "#shared/limits.ts";
import { answerDraft } from "./drafts.ts";
import { Templates } from "./templates.tsx";
import { TextForm } from "./text-form.tsx";

export function AnsweringBadge({ answering }: { answering: AnsweringView }) {
  const { state, free_answers_left: left, max_free_responses: max } = answering;
  if (state === "unlimited") return <GoldBadge label="Respuestas ilimitadas" />;
  if (state === "pending") return <PendingBadge />;
  if (state === "limit_reached") return <Badge tone="wait">Límite de respuestas gratuitas alcanzado</Badge>;
  return (
    <Badge>
      {left === 1 ? `Te queda 1 de ${max} respuestas gratuitas` : `Te quedan ${left} de ${max} respuestas gratuitas`}
    </Badge>
  );
}

function Why({ code }: { code: "account_not_verified" | "free_answers_limit_reached" }) {
  const { title, description } = errorMessage(code);
  return (
    <p className="above-3 measure">
      <b>{title}.</b> {description}
      {code === "account_not_verified" && " La revisión tarda entre 24 y 48 horas."}
    </p>
  );
}

/** Answer form, or the reason why the psychologist may not answer. */
export function AnsweringForm({
  consultationId,
  answering: { state, free_answers_left, payment_pending, templates },
  response,
  inDialog,
  onSent,
}: {
  consultationId: string;
  answering: AnsweringView;
  /** Response to the form without JavaScript. */
  response?: unknown;
  inDialog?: boolean;
  /** `wasLast`: it was the last free one; a text in place of the form says so. */
  onSent: (wasLast: boolean) => void;
}) {
  const [usedUp, setUsedUp] = useState(false);
  const action = href("/consulta/:id/respuesta", { id: consultationId });
  const last = state === "free" && free_answers_left === 1;
  if (usedUp)
    return (
      <FormMessage tone="ok" title="Tu respuesta está publicada" focused>
        Era tu última respuesta gratuita. Puedes editarla cuando quieras; para responder otras consultas hace falta la
        Membresía Gold.
        <p className="row above-3">
          <WayToGold pending={payment_pending} small />
        </p>
      </FormMessage>
    );
  if (state === "pending") return <Why code="account_not_verified" />;
  return (
    <>
      {state === "limit_reached" && (
        <>
          <Why code="free_answers_limit_reached" />
          <p className="above-3">
            <WayToGold pending={payment_pending} small className={payment_pending ? "on-tint" : undefined} />
          </p>
        </>
      )}
      {last && (
        <p className="above-3 measure">
          <b>Es tu última respuesta gratuita.</b> Después hace falta la Membresía Gold para seguir respondiendo.
        </p>
      )}
      <TextForm
        response={response}
        action={action}
        draft={answerDraft(consultationId)}
        label="Tu respuesta"
        hint="Se publica con tu nombre y un enlace a tu perfil. Evita diagnosticar; orienta, pregunta, acompaña."
        limit={LIMITS.answer}
        button="Enviar respuesta"
        disabled={state === "limit_reached"}
        inDialog={inDialog}
        onSent={(wasLast) => {
          setUsedUp(wasLast);
          onSent(wasLast);
        }}
      >
        {state !== "limit_reached" && <Templates templates={templates} action={action} response={response} />}
      </TextForm>
    </>
  );
}

/**
 * Scrolls to the answers, which start with the new one. An empty form would invite the psychologist to write another.
 */
function showAnswers(): void {
  const heading = document.getElementById("respuestas");
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "start" });
}

/** Box "Responder como Profesional" in all its states (specification, section 2.6). */
export function ProfessionalBox({
  onSent = showAnswers,
  ...props
}: Omit<ComponentProps<typeof AnsweringForm>, "inDialog" | "onSent"> & {
  /** Called unless it was the last free answer. */
  onSent?: () => void;
}) {
  const headingId = useId();
  return (
    <section className="composer" id="responder" tabIndex={-1} aria-labelledby={headingId}>
      <div className="row row--apart">
        <h2 id={headingId} className="title-m">
          Responder como Profesional
        </h2>
        <AnsweringBadge answering={props.answering} />
      </div>
      <AnsweringForm
        {...props}
        onSent={(wasLast) => {
          if (!wasLast) onSent();
        }}
      />
    </section>
  );
}
