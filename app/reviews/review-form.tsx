import { useId, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { useActionErrorToast } from "#app/components/action-error-toast.ts";
import { OutcomeMessage } from "#app/components/press.tsx";
import { getActionError } from "#app/lib/action-error.ts";
import { isChecked } from "#app/lib/checkbox-field.ts";
import { deleteDraft } from "#app/lib/drafts.ts";
import { errorMessage, fieldErrorMessage } from "#app/lib/error-messages.ts";
import { FLASH_MESSAGES } from "#app/lib/flash-messages.ts";
import { useOnActionSuccess } from "#app/lib/on-action-response.ts";
import { useOutcome } from "#app/lib/outcome.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { Button, ButtonLink } from "#app/ui/button.tsx";
import { Checkbox } from "#app/ui/choice.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { StarsInput } from "#app/ui/stars-input.tsx";
import { useToast } from "#app/ui/toast.tsx";
import { LIMITS } from "#shared/limits.ts";
import type { OwnReviewView } from "#shared/reviews.ts";

const WORDS = ["Malo", "Regular", "Bueno", "Muy bueno", "Excelente"] as const;
const DEFAULT_RATING = 5;

/** Values of a rejected form, so that no text is lost without JavaScript. */
export type ReviewValues = { rating?: string; comment?: string; show_name?: string };

export const reviewPath = (psychologistId: string) => href("/psicologo/:id/resena", { id: psychologistId });

/** Form of a new review, or of the viewer's own review (specification, sections 2.7 and 5.3). */
export function ReviewForm({
  psychologistId,
  own,
  editing = false,
  actionError,
  values,
  onSent,
}: {
  psychologistId: string;
  /** The viewer's existing review. */
  own: OwnReviewView | null;
  /** True to start with the existing review. */
  editing?: boolean;
  actionError?: unknown;
  values?: ReviewValues;
  onSent?: () => void;
}) {
  const fetcher = useFetcher();
  const { data, outcome, busy } = useOutcome(fetcher);
  const toast = useToast();
  const id = useId();
  const form = useRef<HTMLFormElement>(null);
  const draft = editing ? `review-edit:${psychologistId}` : `review:${psychologistId}`;
  useDraft(form, draft);
  useActionErrorToast(data);
  // The stars have their own state. A new key resets them.
  const [round, setRound] = useState(0);
  useOnActionSuccess(data, () => {
    deleteDraft(draft);
    form.current?.reset();
    setRound((before) => before + 1);
    toast(FLASH_MESSAGES[editing ? "changes_saved" : "review_sent"]);
    onSent?.();
  });
  const refusal = getActionError(data) ?? getActionError(actionError);
  const fields = refusal?.fields ?? {};
  const before = editing ? own : null;
  const rating = Number(values?.rating ?? before?.rating ?? DEFAULT_RATING);
  return (
    <fetcher.Form ref={form} noValidate method="post" action={reviewPath(psychologistId)} className="stack">
      {editing && <input type="hidden" name="intent" value="edit" />}
      <StarsInput
        key={round}
        legend="Calificación"
        name="rating"
        words={WORDS}
        defaultValue={rating >= 1 && rating <= 5 ? Math.round(rating) : DEFAULT_RATING}
        required
        error={fields.rating}
      />
      <TextArea
        id={`${id}-comment`}
        name="comment"
        label="Tu reseña"
        optional
        rows={4}
        maxLength={LIMITS.review.max}
        defaultValue={values?.comment ?? before?.comment ?? undefined}
        error={fieldErrorMessage("comment", refusal)}
        readOnly={busy}
      />
      <Checkbox
        id={`${id}-show_name`}
        name="show_name"
        label="Mostrar mi nombre"
        hint="Si no, aparecerás como «Usuario». Si te ha respondido una consulta anónima, tu nombre aquí puede delatarte."
        defaultChecked={values ? isChecked(values.show_name) : (before?.show_name ?? false)}
        error={fields.show_name}
      />
      {own && !editing && (
        <p className="faint">
          Ya has dejado una reseña: si envías otra, la reemplaza. También puedes{" "}
          <Link to={reviewPath(psychologistId)}>editarla</Link>.
        </p>
      )}
      <OutcomeMessage outcome={outcome} />
      <Button type="submit" busy={busy} busyText={outcome ? "Comprobando…" : editing ? "Guardando…" : "Enviando…"}>
        {editing ? "Guardar cambios" : "Enviar reseña"}
      </Button>
    </fetcher.Form>
  );
}

/** Shown to visitors instead of the form. */
export function SignInToReview({ psychologistId }: { psychologistId: string }) {
  return (
    <>
      <p>{errorMessage("sign_in_to_review").description}.</p>
      <ButtonLink to={signInPath(href("/psicologo/:id", { id: psychologistId }))} variant="soft">
        Iniciar Sesión
      </ButtonLink>
    </>
  );
}
