import { AnsweredBadge } from "#app/ui/badge.tsx";
import type { ConsultationView } from "#shared/consultations.ts";
import { ConsultationFrame } from "./consultation-frame.tsx";

/** One of one's own consultations: whether it has answers, and as whom it was asked (specification, section 2.8). */
export function OwnConsultation({ consultation, now }: { consultation: ConsultationView; now: string }) {
  const { is_anonymous, author_label, response_count } = consultation;
  return (
    <ConsultationFrame
      consultation={consultation}
      now={now}
      first={<AnsweredBadge answered={response_count > 0} />}
      author={is_anonymous ? "Anónimo" : `Con nombre: ${author_label}`}
      open="Ver detalles"
    />
  );
}
