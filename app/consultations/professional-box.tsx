import { useFetcher } from "react-router";
import { errorWords } from "#app/lib/error-messages.ts";
import { Badge, GoldBadge, PendingBadge } from "#app/ui/badge.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import type { ConsultationDetailView } from "#shared/consultations.ts";
import { LIMITS } from "#shared/limits.ts";
import { WordsForm } from "./answer-card.tsx";

/** "Responder como Profesional", in each of its states (specification, section 2). */
export function ProfessionalBox({
  consultationId,
  answering,
  refused,
  value,
  level = 2,
}: {
  consultationId: string;
  answering: NonNullable<ConsultationDetailView["viewer"]["answering"]>;
  refused?: unknown;
  value?: string;
  level?: 1 | 2;
}) {
  const fetcher = useFetcher();
  const { state, free_answers_left: left } = answering;
  const Heading = level === 1 ? "h1" : "h2";
  return (
    <section className="composer" id="responder" aria-labelledby="responder-titulo">
      <div className="row between">
        <Heading id="responder-titulo" className="h-m">
          Responder como Profesional
        </Heading>
        {state === "unlimited" && <GoldBadge label="Respuestas ilimitadas" />}
        {state === "free" && (
          <Badge>
            {left === 1
              ? `Te queda 1 de ${LIMITS.freeAnswers} respuestas gratuitas`
              : `Te quedan ${left} de ${LIMITS.freeAnswers} respuestas gratuitas`}
          </Badge>
        )}
        {state === "limit_reached" && <Badge tone="wait">Límite de respuestas gratuitas alcanzado</Badge>}
        {state === "pending" && <PendingBadge />}
      </div>
      {state === "pending" ? (
        <p className="composer__why">{errorWords("not_verified").description} La revisión tarda entre 24 y 48 horas.</p>
      ) : (
        <>
          {state === "limit_reached" && (
            <>
              <p className="composer__why">{errorWords("free_limit_reached").description}</p>
              <p className="mt-[.75rem]">
                <ButtonLink to="/planes" reloadDocument small>
                  Ver la membresía Gold
                </ButtonLink>
              </p>
            </>
          )}
          <WordsForm
            fetcher={fetcher}
            refused={refused}
            value={value}
            action={`/consulta/${consultationId}/respuesta`}
            draft={`answer:${consultationId}`}
            label="Tu respuesta"
            hint="Se publica con tu nombre y tu matrícula. Evita diagnosticar; orienta, pregunta, acompaña."
            limit={LIMITS.answer}
            button="Enviar respuesta"
            disabled={state === "limit_reached"}
          />
        </>
      )}
    </section>
  );
}
