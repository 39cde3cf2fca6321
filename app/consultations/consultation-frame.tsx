import { type ReactNode, useContext } from "react";
import { href } from "react-router";
import { answerCount } from "#app/lib/format.ts";
import { Link } from "#app/lib/link.tsx";
import { useSharedMarkup } from "#app/lib/shared-markup.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { Icon } from "#app/ui/icon.tsx";
import { Now, RelativeTime } from "#app/ui/relative-time.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { minuteOf } from "#shared/time.ts";
import { tintOf } from "#shared/tint.ts";

export interface ConsultationFrameProps {
  /** Its text may contain marked words. */
  consultation: Omit<ConsultationView, "content"> & { content: ReactNode };
  /** Title with marked words. Defaults to the consultation's own. */
  heading?: ReactNode;
  /** First item of the line above the title. Defaults to the category. */
  first?: ReactNode;
  author?: string;
  /** Rendered at the end of the author's line. */
  tally?: ReactNode;
  /** Preview of an answer, above the number of answers. */
  said?: ReactNode;
  /** Rendered next to the number of answers. */
  actions?: ReactNode;
  /** Text of the link to the consultation. */
  open?: string;
  headingLevel?: "h2" | "h3";
  /** Cache key of the markup, see `useSharedMarkup`. */
  sharedAs?: string | false;
}

/** Layout of a consultation in all lists: the question's bubble, and the answers at its lower edge. */
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
