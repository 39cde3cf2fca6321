import { href } from "react-router";
import { handleInPage } from "#app/lib/modified-click.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { DownIcon, UpIcon } from "#app/ui/icon.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { ConsultationFrame, type ConsultationFrameProps } from "./consultation-frame.tsx";

/** A consultation in the feed, with its category and votes (specification, section 2.3). */
export function ConsultationCard({
  consultation,
  onAnswer,
  opening = false,
  headingLevel,
}: {
  consultation: ConsultationView;
  /** Opens the answer form; `instead` is its page. Omit it to hide the button. */
  onAnswer?: (instead: string) => void;
  /** True while that form loads. */
  opening?: boolean;
  /** Heading level of the title, one below the list's own. */
  headingLevel?: ConsultationFrameProps["headingLevel"];
}) {
  const { id, title, category, author_label, upvotes, downvotes } = consultation;
  return (
    <ConsultationFrame
      consultation={consultation}
      headingLevel={headingLevel}
      first={category && <span className="category">{category}</span>}
      author={author_label}
      open="Ver consulta"
      sharedAs={import.meta.env.SSR && !onAnswer && JSON.stringify([consultation, headingLevel])}
      tally={
        <span className="vote-counts">
          <span>
            <UpIcon size="s" />
            <span className="visually-hidden">A favor:</span>
            {upvotes}
          </span>
          <span>
            <DownIcon size="s" />
            <span className="visually-hidden">En contra:</span>
            {downvotes}
          </span>
        </span>
      }
      actions={
        onAnswer && (
          <ButtonLink
            to={href("/consulta/:id/respuesta", { id })}
            small
            variant="soft"
            busy={opening}
            aria-label={`Responder: ${title}`}
            onClick={handleInPage((event) => onAnswer(event.currentTarget.href))}
          >
            Responder
          </ButtonLink>
        )
      }
    />
  );
}
