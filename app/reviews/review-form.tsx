import { type ReactNode, useId, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { ActionForm, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { OutcomeMessage, useOutcome } from "#app/components/press.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { deleteDraft } from "#app/lib/drafts.ts";
import { errorMessage } from "#app/lib/error-messages.ts";
import { FLASH_MESSAGES } from "#app/lib/flash-messages.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { classNames } from "#app/ui/class-names.ts";
import { Checkbox, FieldError, TextArea } from "#app/ui/field.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { STAR_VALUES } from "#app/ui/stars.tsx";
import { useToast } from "#app/ui/toast.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { OwnReviewView } from "#shared/reviews.ts";
import "./stars-input.css";

const DEFAULT_RATING = 5;

export const reviewPath = (psychologistId: string) => href("/psicologo/:id/resena", { id: psychologistId });

interface ReviewFormProps {
  psychologistId: string;
  own: OwnReviewView | null;
  editing?: boolean;
  response?: unknown;
  values?: Readonly<Record<string, string>>;
  onSent?: () => void;
}

export function ReviewForm(props: ReviewFormProps) {
  if (useAuth().viewer) return <OwnReviewForm {...props} />;
  return (
    <>
      <p>{errorMessage("sign_in_to_review").description}.</p>
      <ButtonLink to={signInPath(href("/psicologo/:id", { id: props.psychologistId }))} variant="soft">
        Iniciar Sesión
      </ButtonLink>
    </>
  );
}

function OwnReviewForm({ psychologistId, own, editing = false, response, values, onSent }: ReviewFormProps) {
  const fetcher = useFetcher();
  const { data, outcome, busy } = useOutcome(fetcher);
  const toast = useToast();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const draft = editing ? `review-edit:${psychologistId}` : `review:${psychologistId}`;
  useDraft(form, draft);
  const { errors } = useForm(data, { toast: true, main: "comment", first: response });
  // The stars have their own state. A new key resets them.
  const [round, setRound] = useState(0);
  useOnActionSuccess(data, () => {
    deleteDraft(draft);
    form.current?.reset();
    setRound((before) => before + 1);
    toast(FLASH_MESSAGES[editing ? "changes_saved" : "review_sent"]);
    onSent?.();
  });
  const before = editing ? own : null;
  const rating = Number(values?.rating ?? before?.rating ?? DEFAULT_RATING);
  return (
    <ActionForm
      ref={form}
      fetcher={fetcher}
      fields={{ intent: editing ? "edit" : undefined }}
      action={reviewPath(psychologistId)}
      className="stack"
    >
      <StarsInput
        key={`${round} ${rating}`}
        defaultValue={rating >= 1 && rating <= 5 ? Math.round(rating) : DEFAULT_RATING}
        error={errors.rating}
      />
      <TextArea
        id={`${id}-comment`}
        name="comment"
        label="Tu reseña"
        optional
        rows={4}
        maxLength={LIMITS.review.max}
        defaultValue={values?.comment ?? before?.comment ?? undefined}
        error={errors.comment}
        readOnly={busy}
      />
      <Checkbox
        id={`${id}-show_name`}
        name="show_name"
        label="Mostrar mi nombre"
        hint="Si no, aparecerás como «Usuario». Si te ha respondido una consulta anónima, tu nombre aquí puede delatarte."
        defaultChecked={values ? isChecked(values.show_name) : (before?.show_name ?? false)}
        error={errors.show_name}
      />
      {own && !editing && (
        <p className="faint">
          Ya has dejado una reseña: si envías otra, la reemplaza. También puedes{" "}
          <Link to={reviewPath(psychologistId)}>editarla</Link>.
        </p>
      )}
      <OutcomeMessage outcome={outcome} />
      <SubmitButton busy={busy} busyText={outcome ? "Comprobando…" : editing ? "Guardando…" : "Enviando…"}>
        {editing ? "Guardar cambios" : "Enviar reseña"}
      </SubmitButton>
    </ActionForm>
  );
}

const WORDS = ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"] as const;

/** Required rating: five radio buttons styled as stars. Works with arrow keys and without JavaScript. */
function StarsInput({ defaultValue, error }: { defaultValue: number; error: ReactNode }) {
  const errorId = useId();
  const [value, setValue] = useState(defaultValue);
  return (
    <fieldset
      className={classNames("field", error ? "field--bad" : null)}
      aria-describedby={error ? errorId : undefined}
    >
      <legend className="legend">Calificación</legend>
      <div className="row stars-input">
        <div className="stars-input__row">
          {STAR_VALUES.map((star) => (
            <label key={star}>
              <input
                className="visually-hidden"
                type="radio"
                name="rating"
                value={star}
                defaultChecked={star === defaultValue}
                required
                aria-invalid={error ? true : undefined}
                onChange={() => setValue(star)}
              />
              <Icon name="star" />
              <span className="visually-hidden">
                {star} de 5: {WORDS[star - 1]}
              </span>
            </label>
          ))}
        </div>
        <span className="text-muted" aria-hidden="true">
          {value} {WORDS[value - 1]}
        </span>
      </div>
      <FieldError id={errorId} error={error} />
    </fieldset>
  );
}
