import type { SyntheticEvent } from "react";
import { href, Link, useFetcher } from "react-router";
import { ActionForm, useForm } from "#app/components/action-form.tsx";
import { GoldBadge, VerifiedBadge } from "#app/components/badges.tsx";
import { DeleteControl, EditControl } from "#app/components/edit-and-delete.tsx";
import { VoteButtons } from "#app/components/vote-buttons.tsx";
import { useAuth } from "#app/lib/auth-context.tsx";
import { pluralize } from "#app/lib/format.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import type { AnswerView } from "#shared/answers.ts";
import { tintOf } from "#shared/tint.ts";
import { type ConsultationPath, Replies } from "./replies.tsx";
import { EditTextForm, ReplyForm } from "./text-form.tsx";
import "./thanks.css";

/** Focuses the open form and scrolls it into view, because on a phone it opens below the viewport. */
function showReplyForm({ currentTarget: box }: SyntheticEvent<HTMLDetailsElement>): void {
  if (!box.open) return;
  box.querySelector("textarea")?.focus({ preventScroll: true });
  box.scrollIntoView({ block: "nearest" });
}

type AnswerCardProps = { answer: AnswerView; canReply: boolean; address: ConsultationPath; repliesFromStart: boolean };

export function AnswerCard({ answer, canReply, address, repliesFromStart }: AnswerCardProps) {
  const { psychologist, viewer } = answer;
  const signedIn = useAuth().viewer !== null;
  return (
    <article
      className="answer"
      id={`respuesta-${answer.id}`}
      tabIndex={-1}
      aria-label={`Respuesta de ${psychologist.full_name}`}
    >
      <div className="answer__card">
        <div className="answer-author">
          <Avatar name={psychologist.full_name} src={psychologist.avatar_url} tint={tintOf(psychologist.id)} />
          <div className="row answer-author__name">
            <h3>
              <Link className="title-link" to={href("/psicologo/:id", { id: psychologist.id })}>
                {psychologist.full_name}
              </Link>
            </h3>
            {psychologist.is_verified && <VerifiedBadge of={psychologist} />}
            {psychologist.has_gold && <GoldBadge />}
          </div>
          <div className="text-muted small answer-author__facts">
            {psychologist.specialty && <span>{psychologist.specialty}</span>}
            {psychologist.rating !== null && (
              <Rating value={psychologist.rating} count={pluralize(psychologist.total_reviews, "reseña", "reseñas")} />
            )}
            <RelativeTime datetime={answer.created_at} />
            {answer.edited_at && <span>editado</span>}
          </div>
        </div>
        <PlainText text={answer.content} />
        <div className="row answer__foot">
          <VoteButtons
            id={`votar-respuesta-${answer.id}`}
            action={href("/respuesta/:id/voto", { id: answer.id })}
            counts={{ upvotes: answer.upvotes, downvotes: answer.downvotes, vote: viewer.vote }}
            locked={signedIn && !viewer.can.vote}
            what={`de la respuesta de ${psychologist.full_name}`}
          />
          {signedIn && viewer.can.vote && <ThanksButton answer={answer} />}
          {viewer.thanks ? (
            <p className="text-muted small thanks-count">
              {`${pluralize(viewer.thanks, "persona dice", "personas dicen")} que le${viewer.thanks === 1 ? "" : "s"} ayudó`}
            </p>
          ) : null}
          {viewer.mine && (
            <EditControl page={href("/respuesta/:id/editar", { id: answer.id })} what="tu respuesta">
              {(close) => <EditTextForm kind="answer" id={answer.id} value={answer.content} onSent={close} />}
            </EditControl>
          )}
          {viewer.mine && <DeleteControl kind="answer" id={answer.id} />}
        </div>
      </div>
      {(answer.replies.length > 0 || canReply) && (
        <Replies answer={answer} address={address} fromStart={repliesFromStart}>
          {canReply && (
            <details className="reply-box opens-once" onToggle={showReplyForm}>
              <summary
                className="button button--quiet button--small"
                aria-label={`Comentar la respuesta de ${psychologist.full_name}`}
              >
                <Icon name="reply" size="s" />
                Comentar
              </summary>
              <ReplyForm answerId={answer.id} />
            </details>
          )}
        </Replies>
      )}
    </article>
  );
}

function ThanksButton({ answer: { id, psychologist, viewer } }: { answer: AnswerView }) {
  const fetcher = useFetcher<{ thanked: boolean }>();
  useForm(fetcher.data, { toast: true });
  const sent = fetcher.formData ? fetcher.formData.get("on") === "1" : fetcher.data?.thanked;
  const thanked = sent ?? viewer.thanked;
  return (
    <ActionForm fetcher={fetcher} action={href("/respuesta/:id/gracias", { id })} className="thanks">
      <button
        type="submit"
        className="pill"
        name="on"
        value={thanked ? "0" : "1"}
        aria-pressed={thanked}
        title={`Solo lo sabe ${psychologist.full_name}, sin tu nombre`}
      >
        <Icon name="sprout" size="s" />
        Esto me ayudó
      </button>
    </ActionForm>
  );
}
