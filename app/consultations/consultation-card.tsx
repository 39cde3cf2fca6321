import { Link } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { tintOf } from "#app/lib/tint.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { ButtonLink } from "#app/ui/button.tsx";
import { DownIcon, ForwardIcon, TalkIcon, UpIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { ConsultationView } from "#shared/consultations.ts";

/** A consultation in a list: the question as a bubble, its answers under the bubble's edge (specification, section 2). */
export function ConsultationCard({
  consultation,
  now,
  canRespond,
  headingLevel: Heading = "h3",
}: {
  consultation: ConsultationView;
  now: string;
  canRespond: boolean /** Level of its title, one below the list's own. */;
  headingLevel?: "h2" | "h3";
}) {
  const {
    id,
    title,
    content,
    country,
    category,
    is_anonymous,
    author_label,
    created_at,
    upvotes,
    downvotes,
    response_count,
  } = consultation;
  const address = `/consulta/${id}`;
  return (
    <article className={`consult t${tintOf(id)}`}>
      <div className="consult__q">
        <p className="meta">
          {category && <span className="cat">{category}</span>}
          <span>{country}</span>
          <RelativeTime datetime={created_at} now={now} />
          {consultation.edited_at && <span>editado</span>}
        </p>
        <Heading className="consult__t">
          <Link to={address}>{title}</Link>
        </Heading>
        <p className="clamp">{content}</p>
        <p className="by">
          <Avatar name={author_label} anonymous={is_anonymous} size="s" />
          <span>{author_label}</span>
          <span className="tally">
            <span>
              <UpIcon size="s" />
              <span className="sr">A favor:</span>
              {upvotes}
            </span>
            <span>
              <DownIcon size="s" />
              <span className="sr">En contra:</span>
              {downvotes}
            </span>
          </span>
        </p>
      </div>
      <div className="consult__a">
        <span className={response_count ? "resp" : "resp resp--none"}>
          <TalkIcon />
          {response_count ? counted(response_count, "respuesta", "respuestas") : "Sin respuestas"}
        </span>
        {canRespond && (
          <ButtonLink to={`${address}/respuesta`} small variant="soft" aria-label={`Responder: ${title}`}>
            Responder
          </ButtonLink>
        )}
        <Link className="go" to={address} aria-label={`Ver consulta: ${title}`}>
          Ver consulta
          <ForwardIcon size="s" />
        </Link>
      </div>
    </article>
  );
}
