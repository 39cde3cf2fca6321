import { href, Link } from "react-router";
import { AnsweredBadge, newAnswersText } from "#app/components/badges.tsx";
import type { OwnConsultationView } from "#shared/consultations.ts";
import { ConsultationFrame } from "./consultation-card.tsx";
import "./own-consultation.css";

export function OwnConsultation({ consultation }: { consultation: OwnConsultationView }) {
  const { id, is_anonymous, author_label, response_count, new_answers, newest_answer } = consultation;
  return (
    <ConsultationFrame
      consultation={consultation}
      first={
        <>
          <AnsweredBadge answered={response_count > 0} />
          {new_answers > 0 && (
            // The newest answer comes first on that page.
            <Link
              className="badge new-answers-badge"
              to={`${href("/consulta/:id", { id })}${newest_answer ? `#respuesta-${newest_answer.id}` : ""}`}
            >
              {newAnswersText(new_answers)}
            </Link>
          )}
        </>
      }
      author={is_anonymous ? "Anónimo" : `Con nombre: ${author_label}`}
      said={
        newest_answer && (
          <p className="consultation-card__said clamped">
            <b>{newest_answer.author}:</b> «{newest_answer.content}»
          </p>
        )
      }
      open="Ver detalles"
    />
  );
}
