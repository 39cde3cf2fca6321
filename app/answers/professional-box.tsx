import { type ComponentProps, type MouseEvent, useId, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { useForm } from "#app/components/action-form.tsx";
import { GoldBadge, PendingBadge } from "#app/components/badges.tsx";
import { WayToGold } from "#app/components/way-to-gold.tsx";
import { errorMessage } from "#app/lib/error-messages.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { Badge } from "#app/ui/badge.tsx";
import { Button } from "#app/ui/button.tsx";
import { Collapsible } from "#app/ui/collapsible.tsx";
import { FormMessage } from "#app/ui/form-message.tsx";
import type { AnsweringView } from "#shared/answers.ts";
import { LIMITS } from "#shared/limits.ts";
import { answerDraft } from "./own-text.ts";
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

export function AnsweringForm({
  consultationId,
  answering: { state, free_answers_left, payment_pending, templates },
  response,
  inDialog,
  onSent,
}: {
  consultationId: string;
  answering: AnsweringView;
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

/** The answers start with the new one. An empty form would invite the psychologist to write another. */
function showAnswers(): void {
  const heading = document.getElementById("respuestas");
  heading?.focus({ preventScroll: true });
  heading?.scrollIntoView({ block: "start" });
}

export function ProfessionalBox({
  onSent = showAnswers,
  ...props
}: Omit<ComponentProps<typeof AnsweringForm>, "inDialog" | "onSent"> & {
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

/** Response to a button of «Mis textos»: the written text, and the text to insert unless the written text was stored. */
export type TemplateResponse = { done: true; inserted?: string; typed: { content: string } };

/** Inserts a text at the cursor, in its own paragraph. Deletes nothing, not even selected text. */
function insertAtCursor(area: HTMLTextAreaElement, text: string): void {
  const at = area.selectionEnd;
  const before = /\S$/.test(area.value.slice(0, at)) ? "\n\n" : "";
  const after = /^\S/.test(area.value.slice(at)) ? "\n\n" : "";
  area.setRangeText(before + text + after, at, at, "end");
  area.dispatchEvent(new Event("input", { bubbles: true }));
  area.focus();
}

type TemplatesProps = { templates: AnsweringView["templates"]; action: string; response: unknown };

function Templates({ templates, action, response }: TemplatesProps) {
  const fetcher = useFetcher<TemplateResponse>();
  const pressed = useRef<HTMLButtonElement>(null);
  const shown = (fetcher.data ?? response) as TemplateResponse | undefined;
  useForm(fetcher.data, { toast: true });
  useOnActionSuccess(fetcher.data, () => {
    const area = pressed.current?.form?.elements.namedItem("content");
    if (fetcher.data?.inserted && area instanceof HTMLTextAreaElement) insertAtCursor(area, fetcher.data.inserted);
  });
  const button = (name: "insert" | "save", value: string) =>
    ({
      type: "submit",
      name,
      value,
      variant: "soft",
      small: true,
      busy: fetcher.formData?.get(name) === value,
      onClick: (event: MouseEvent<HTMLButtonElement>) => {
        event.preventDefault();
        pressed.current = event.currentTarget;
        void fetcher.submit(event.currentTarget, { method: "post", action });
      },
    }) as const;
  return (
    <div>
      <Collapsible title="Mis textos" className="templates">
        <div className="stack">
          {templates.length > 0 && (
            <div className="row" role="group" aria-label="Insertar en tu respuesta">
              {templates.map(({ id, title }) => (
                <Button key={id} {...button("insert", id)}>
                  {title}
                </Button>
              ))}
            </div>
          )}
          <p className="hint">Para lo que escribes a menudo. Solo los ves tú; se insertan sin borrar nada.</p>
          <div className="row">
            <Button {...button("save", "1")}>Guardar lo escrito como texto</Button>
            <Link to="/perfil#textos">Editar mis textos</Link>
          </div>
        </div>
      </Collapsible>
      {shown?.done && !shown.inserted && <p role="status">Guardado en «Mis textos». Puedes cambiar su título.</p>}
    </div>
  );
}
