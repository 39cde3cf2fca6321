import { href } from "react-router";
import type { LazyDialog } from "#app/lib/lazy-dialog.ts";
import { handleInPage } from "#app/lib/modified-click.ts";
import { ButtonLink } from "#app/ui/button.tsx";
import { Icon } from "#app/ui/icon.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { ConsultationFrame, type ConsultationFrameProps } from "./consultation-frame.tsx";

/** A consultation in the feed, with its category and votes (specification, section 2.3). */
export function ConsultationCard({
  consultation,
  answering,
  headingLevel,
}: {
  consultation: ConsultationView;
  /** Dialog of the answer form. Omit it to hide the button. */
  answering?: LazyDialog<unknown, ConsultationView>;
  /** Heading level of the title, one below the list's own. */
  headingLevel?: ConsultationFrameProps["headingLevel"];
}) {
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
