import { Link } from "react-router";
import { counted } from "#app/lib/numbers.ts";
import { tintOf } from "#app/lib/tint.ts";
import { Avatar } from "#app/ui/avatar.tsx";
import { AnsweredBadge } from "#app/ui/badge.tsx";
import { ForwardIcon, TalkIcon } from "#app/ui/icon.tsx";
import { RelativeTime } from "#app/ui/relative-time.tsx";
import type { ConsultationView } from "#shared/consultations.ts";

/** One of one's own consultations: whether it has answers, and as whom it was asked. */
export function OwnConsultation({ consultation, now }: { consultation: ConsultationView; now: string }) {
  const { id, title, content, country, is_anonymous, author_label, created_at, response_count } = consultation;
  const address = `/consulta/${id}`;
  return (
    <article className={`consult t${tintOf(id)}`}>
      <div className="consult__q">
        <p className="meta">
          <AnsweredBadge answered={response_count > 0} />
          <span>{country}</span>
          <RelativeTime datetime={created_at} now={now} />
          {consultation.edited_at && <span>editado</span>}
        </p>
        <h3 className="consult__t">
          <Link to={address}>{title}</Link>
        </h3>
        <p className="clamp">{content}</p>
        <p className="by">
          <Avatar name={author_label} anonymous={is_anonymous} size="s" />
          <span>{is_anonymous ? "Anónimo" : `Con nombre: ${author_label}`}</span>
        </p>
      </div>
      <div className="consult__a">
        <span className={response_count ? "resp" : "resp resp--none"}>
          <TalkIcon />
          {response_count ? counted(response_count, "respuesta", "respuestas") : "Sin respuestas"}
        </span>
        <Link className="go" to={address} aria-label={`Ver detalles: ${title}`}>
          Ver detalles
          <ForwardIcon size="s" />
        </Link>
      </div>
    </article>
  );
}
