import { type ReactNode, useContext } from "react";
import { href } from "react-router";
import { answerCount } from "#app/lib/format.ts";
import type { LazyDialog } from "#app/lib/lazy-dialog.ts";
import { Link } from "#app/lib/link.tsx";
import { handleInPage } from "#app/lib/modified-click.ts";
import { useSharedMarkup } from "#app/lib/shared-markup.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Now, RelativeTime } from "#app/ui/relative-time.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { minuteOf } from "#shared/time.ts";
import { tintOf } from "#shared/tint.ts";

interface ConsultationFrameProps {
  consultation: Omit<ConsultationView, "content"> & { content: ReactNode };
  heading?: ReactNode;
  first?: ReactNode;
  author?: string;
  tally?: ReactNode;
  said?: ReactNode;
  actions?: ReactNode;
  open?: string;
  headingLevel?: "h2" | "h3";
  /** Cache key of the markup, see `useSharedMarkup`. */
  sharedAs?: string | false;
}

export function ConsultationFrame({
  consultation,
  heading = consultation.title,
  first = consultation.category && <span className="category">{consultation.category}</span>,
  author = consultation.author_label,
  tally,
  said,
  actions,
  open = "Ver consulta",
  headingLevel: Heading = "h3",
  sharedAs = false,
}: ConsultationFrameProps) {
  const { id, title, content, country, is_anonymous, author_label, created_at, response_count } = consultation;
  const address = href("/consulta/:id", { id });
  // Rounded, so that the server can reuse the markup of a card for a minute.
  const now = minuteOf(new Date(useContext(Now)));
  const parts = useSharedMarkup(
    sharedAs && sharedAs + now,
    <Now value={now}>
      {/* Search engines must not quote it in lists either. */}
      <div className="consultation-card__question" data-nosnippet={consultation.noindex || undefined}>
        <p className="meta">
          {first}
          <span>{country}</span>
          <RelativeTime datetime={created_at} />
          {consultation.edited_at && <span>editado</span>}
        </p>
        <Heading className="consultation-card__title">
          <Link className="title-link cover-link" to={address}>
            {heading}
          </Link>
        </Heading>
        <p className="consultation-card__text clamped">{content}</p>
        <p className="text-muted small byline">
          <Avatar name={author_label} anonymous={is_anonymous} size="s" />
          <span>{author}</span>
          {tally}
        </p>
      </div>
      <div className="row row--apart small consultation-card__answers">
        {said}
        <span className={response_count ? "answer-count" : "answer-count answer-count--none"}>
          <Icon name="talk" />
          {answerCount(response_count)}
        </span>
        {actions}
        <Link className="read-link" to={address} aria-label={`${open}: ${title}`}>
          {open}
          <Icon name="forward" size="s" />
        </Link>
      </div>
    </Now>,
  );
  return <article className={`consultation-card tint-${tintOf(id)}`} {...parts} />;
}

interface ConsultationCardProps {
  consultation: ConsultationView;
  answering?: LazyDialog<unknown, ConsultationView>;
  headingLevel?: ConsultationFrameProps["headingLevel"];
}

export function ConsultationCard({ consultation, answering, headingLevel }: ConsultationCardProps) {
  const { id, title, upvotes, downvotes } = consultation;
  return (
    <ConsultationFrame
      consultation={consultation}
      headingLevel={headingLevel}
      sharedAs={import.meta.env.SSR && !answering && JSON.stringify([consultation, headingLevel])}
      tally={
        <span className="vote-counts">
          <span>
            <Icon name="up" size="s" />
            <span className="visually-hidden">A favor:</span>
            {upvotes}
          </span>
          <span>
            <Icon name="down" size="s" />
            <span className="visually-hidden">En contra:</span>
            {downvotes}
          </span>
        </span>
      }
      actions={
        answering && (
          <ButtonLink
            to={href("/consulta/:id/respuesta", { id })}
            small
            variant="soft"
            busy={answering.opening?.id === id}
            aria-label={`Responder: ${title}`}
            onClick={handleInPage((event) => answering.open(consultation, event.currentTarget.href))}
          >
            Responder
          </ButtonLink>
        )
      }
    />
  );
}
