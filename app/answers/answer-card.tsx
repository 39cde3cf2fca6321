import { type ComponentProps, useEffect, useRef, useState } from "react";
import { href, Link, useFetcher } from "react-router";
import { forgetDraft } from "#app/lib/drafts.ts";
import { refusalWords } from "#app/lib/error-words.ts";
import { counted } from "#app/lib/numbers.ts";
import { refusalIn } from "#app/lib/refusal.ts";
import { signInPath } from "#app/lib/sign-in-path.ts";
import { tintOf } from "#app/lib/tint.ts";
import { useDraft } from "#app/lib/use-draft.ts";
import { GoldBadge, VerifiedBadge } from "#app/parts/badges.tsx";
import { DeleteControl, EditControl, EditTextForm } from "#app/parts/edit-and-delete.tsx";
import { useRefusalToast } from "#app/parts/refusal-toast.ts";
import { VoteButtons } from "#app/parts/vote-buttons.tsx";
import { Avatar } from "#app/ui/avatar.tsx";
import { Button } from "#app/ui/button.tsx";
import { TextArea } from "#app/ui/field.tsx";
import { ReplyIcon } from "#app/ui/more-icons.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import { Rating } from "#app/ui/stars.tsx";
import { useToast } from "#app/ui/toast.tsx";
import type { AnswerView } from "#shared/answers.ts";
import { LIMITS } from "#shared/limits.ts";
import { type ConsultationAddress, Replies } from "./replies.tsx";

/** An answer with who wrote it, its votes and its replies (specification, section 2). */
export function AnswerCard({
  answer,
  now,
  tint,
  canReply,
  signedIn,
  address,
  repliesFromStart = true,
  onCounted,
}: {
  answer: AnswerView;
  now: string;
  /** The question's tint, which all replies share. */
  tint: number;
  canReply: boolean;
  signedIn: boolean;
  /** The consultation's page, as it begins with what is asked for. */
  address: ConsultationAddress;
  /** The page shows this answer's replies from the first one. */
  repliesFromStart?: boolean;
  onCounted?: ComponentProps<typeof VoteButtons>["onCounted"];
}) {
  const { psychologist } = answer;
  const portrait = (
    <Avatar name={psychologist.full_name} src={psychologist.avatar_url} tint={tintOf(psychologist.id)} />
  );
  return (
    <article
      className="answer"
      id={`respuesta-${answer.id}`}
      tabIndex={-1}
      aria-label={`Respuesta de ${psychologist.full_name}`}
    >
      <div className="seat">{portrait}</div>
      <div className="answer__card">
        <div className="answer-author answer-author--inline">
          {portrait}
          <div className="answer-author__name">
            <Link to={href("/psicologo/:id", { id: psychologist.id })}>{psychologist.full_name}</Link>
            {psychologist.is_verified && <VerifiedBadge />}
            {psychologist.has_gold && <GoldBadge />}
          </div>
          <div className="answer-author__facts">
            {psychologist.specialty && <span>{psychologist.specialty}</span>}
            {psychologist.rating !== null && (
              <Rating value={psychologist.rating} count={counted(psychologist.total_reviews, "reseña", "reseñas")} />
            )}
            <RelativeTime datetime={answer.created_at} now={now} />
            {answer.edited_at && <span>editado</span>}
          </div>
        </div>
        <PlainText text={answer.content} />
        <div className="answer__foot">
          <VoteButtons
            action={href("/respuesta/:id/voto", { id: answer.id })}
            counts={{ upvotes: answer.upvotes, downvotes: answer.downvotes, vote: answer.viewer.vote }}
            locked={signedIn && !answer.viewer.can.vote}
            what={`de la respuesta de ${psychologist.full_name}`}
            onCounted={onCounted}
          />
          {!signedIn && (
            <Link
              className="button button--quiet button--small"
              to={signInPath(address({ respuesta: answer.id }, `respuesta-${answer.id}`))}
            >
              <ReplyIcon size="s" />
              Inicia sesión para comentar
            </Link>
          )}
          {answer.viewer.can.edit && (
            <EditControl key={answer.edited_at} what="tu respuesta">
              <EditTextForm kind="answer" id={answer.id} value={answer.content} />
            </EditControl>
          )}
          {answer.viewer.can.delete && <DeleteControl kind="answer" id={answer.id} />}
        </div>
      </div>
      {(answer.replies.length > 0 || canReply) && (
        <Replies answer={answer} now={now} tint={tint} address={address} fromStart={repliesFromStart}>
          {canReply && (
            <details className="reply-box">
              <summary className="button button--quiet button--small">
                <ReplyIcon size="s" />
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

/** A reply to an answer; it works on its own page too, where it goes without JavaScript. */
export function ReplyForm({ answerId, refused, value }: { answerId: string; refused?: unknown; value?: string }) {
  const fetcher = useFetcher();
  return (
    <WordsForm
      fetcher={fetcher}
      refused={refused}
      value={value}
      action={href("/respuesta/:id/comentario", { id: answerId })}
      draft={`reply:${answerId}`}
      label="Tu comentario"
      hint="Se publica como «Usuario»."
      limit={LIMITS.reply}
      button="Enviar"
    />
  );
}

/** A field with one text and its button: answers and replies. The text survives a reload and a refusal. */
export function WordsForm({
  fetcher,
  refused,
  value,
  action,
  draft,
  label,
  hint,
  limit,
  button,
  disabled = false,
  onSent,
}: {
  fetcher: ReturnType<typeof useFetcher>;
  refused?: unknown;
  value?: string;
  action: string;
  draft: string;
  label: string;
  hint: string;
  limit: { min: number; max: number };
  button: string;
  disabled?: boolean;
  onSent?: () => void;
}) {
  const form = useRef<HTMLFormElement>(null);
  const toast = useToast();
  useDraft(form, draft);
  useRefusalToast(fetcher.data);
  // Without JavaScript the button must work: it is disabled only once the form can tell that nothing is written.
  const [empty, setEmpty] = useState(false);
  useEffect(() => setEmpty(!form.current?.querySelector("textarea")?.value.trim()), []);
  const finished = useRef(onSent);
  useEffect(() => {
    finished.current = onSent;
  });
  const sent = fetcher.data && "done" in (fetcher.data as object) ? fetcher.data : null;
  useEffect(() => {
    if (!sent) return;
    forgetDraft(draft);
    form.current?.reset();
    setEmpty(true);
    form.current?.closest("details")?.removeAttribute("open");
    toast({ title: "¡Respuesta enviada!" });
    finished.current?.();
  }, [sent, draft, toast]);
  const refusal = refusalIn(fetcher.data) ?? refusalIn(refused);
  const error =
    refusal?.fields?.content ?? (refusal && !refusal.fields ? refusalWords(refusal).description : undefined);
  return (
    <fetcher.Form ref={form} method="post" action={action} className="stack">
      <TextArea
        id={`${draft.replace(/[^\w-]/g, "-")}-content`}
        name="content"
        label={label}
        hint={hint}
        required
        minLength={limit.min}
        maxLength={limit.max}
        rows={5}
        defaultValue={value}
        error={error}
        disabled={disabled}
        onInput={(event) => setEmpty(!event.currentTarget.value.trim())}
      />
      <Button type="submit" busy={fetcher.state !== "idle"} busyText="Enviando…" disabled={disabled || empty}>
        {button}
      </Button>
    </fetcher.Form>
  );
}
