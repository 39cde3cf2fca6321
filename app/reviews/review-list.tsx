import { useState } from "react";
import { useFetcher } from "react-router";
import { ActionForm, SubmitButton, useForm } from "#app/components/action-form.tsx";
import { ForAuthor } from "#app/components/for-author.tsx";
import { handleInPage } from "#app/lib/modified-click.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { ConfirmDialog, Dialog } from "#app/ui/dialog.tsx";
import { EditIcon, TrashIcon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Stars } from "#app/ui/stars.tsx";
import type { OwnReviewView, ReviewView } from "#shared/reviews.ts";
import { ReviewForm, reviewPath } from "./review-form.tsx";
import "./reviews.css";

/** Number of reviews shown initially. A button shows the rest. */
const FIRST = 10;

/** Reviews of a psychologist, newest first. The viewer can edit and delete their own. */
export function ReviewList({
  reviews,
  own,
  psychologistId,
}: {
  reviews: ReviewView[];
  own: OwnReviewView | null;
  psychologistId: string;
}) {
  const each = (review: ReviewView) => (
    <article key={review.id} className="review" aria-label={`Reseña de ${review.author_label}`}>
      <div className="row row--apart">
        <Stars value={review.rating} />
        <p className="meta">
          <RelativeTime datetime={review.created_at} />
          {review.edited_at && <span>editado</span>}
        </p>
      </div>
      {review.comment && <PlainText text={review.comment} />}
      <p className="meta">
        <span>{review.author_label}</span>
        {review.by_colleague && review.author_label !== "Colega" && <span>Colega</span>}
        {review.mine && <span>Tu reseña</span>}
      </p>
      {review.mine && own && <OwnActions own={own} psychologistId={psychologistId} />}
    </article>
  );
  return (
    <div className="panel reviews">
      {reviews.slice(0, FIRST).map(each)}
      {reviews.length > FIRST && (
        <details className="reviews__more opens-once">
          <summary className="button button--soft button--small">Ver más</summary>
          {reviews.slice(FIRST).map(each)}
        </details>
      )}
      {!own && (
        <ForAuthor mine={false}>
          <OwnActions own={null} psychologistId={psychologistId} />
        </ForAuthor>
      )}
    </div>
  );
}

const ACTIONS = [
  { name: "edit", Icon: EditIcon, words: "Editar", place: "" },
  { name: "delete", Icon: TrashIcon, words: "Eliminar", place: "#eliminar" },
] as const;

/** Edits and deletes the viewer's review in dialogs. Without JavaScript the links open the review's page. */
function OwnActions({ own, psychologistId }: { own: OwnReviewView | null; psychologistId: string }) {
  const [open, setOpen] = useState<"edit" | "delete" | null>(null);
  return (
    <div className="row review__actions">
      {ACTIONS.map(({ name, Icon, words, place }) => (
        <ButtonLink
          key={name}
          to={`${reviewPath(psychologistId)}${place}`}
          small
          variant="quiet"
          icon={<Icon size="s" />}
          aria-haspopup="dialog"
          onClick={handleInPage(() => setOpen(name))}
        >
          {words}
        </ButtonLink>
      ))}
      {open === "edit" && (
        <Dialog onClose={() => setOpen(null)} title="Editar tu reseña" small>
          <ReviewForm psychologistId={psychologistId} own={own} editing onSent={() => setOpen(null)} />
        </Dialog>
      )}
      {open === "delete" && (
        <ConfirmDialog
          onClose={() => setOpen(null)}
          title="¿Eliminar tu reseña?"
          action={<DeleteReview psychologistId={psychologistId} />}
        >
          <p>Se borra tu calificación con su texto, y el promedio se calcula de nuevo. No se puede deshacer.</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Button that deletes the viewer's review. It is a form, so that it works without JavaScript. */
export function DeleteReview({ psychologistId }: { psychologistId: string }) {
  const fetcher = useFetcher();
  useForm(fetcher.data, { toast: true });
  return (
    <ActionForm fetcher={fetcher} action={reviewPath(psychologistId)} fields={{ intent: "delete" }}>
      <SubmitButton variant="danger" busyText="Eliminando…">
        Eliminar
      </SubmitButton>
    </ActionForm>
  );
}
