import { DeleteControl, EditControl } from "#app/components/edit-and-delete.tsx";
import { ForAuthor } from "#app/components/for-author.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Stars } from "#app/ui/stars.tsx";
import type { OwnReviewView, ReviewView } from "#shared/reviews.ts";
import { ReviewForm, reviewPath } from "./review-form.tsx";
import "./reviews.css";

const FIRST = 10;

type ReviewListProps = { reviews: ReviewView[]; own: OwnReviewView | null; psychologistId: string };

export function ReviewList({ reviews, own, psychologistId }: ReviewListProps) {
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
          <summary className="button button--soft button--small">Ver más reseñas</summary>
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

const OwnActions = ({ own, psychologistId }: { own: OwnReviewView | null; psychologistId: string }) => (
  <div className="row review__actions">
    <EditControl page={reviewPath(psychologistId)} what="tu reseña">
      {(close) => <ReviewForm psychologistId={psychologistId} own={own} editing onSent={close} />}
    </EditControl>
    <DeleteControl kind="review" id={psychologistId} />
  </div>
);
