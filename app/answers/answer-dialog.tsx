import { href, Link } from "react-router";
import { patchItem } from "#app/lib/paged-list.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import { ErrorState } from "#app/ui/empty-state.tsx";
import { PlainText } from "#app/ui/plain-text.tsx";
import type { AnsweringView } from "#shared/answers.ts";
import type { ConsultationView } from "#shared/consultations.ts";
import { tintOf } from "#shared/tint.ts";
import { AnsweringBadge, AnsweringForm } from "./professional-box.tsx";

interface AnswerDialogProps {
  consultation: ConsultationView;
  answering: AnsweringView | null;
  onClose: () => void;
}

/** In a separate file, because only psychologists load it. */
export default function AnswerDialog({ consultation, answering, onClose }: AnswerDialogProps) {
  const { id, title, content, country, category, author_label, response_count } = consultation;
  return (
    <Dialog onClose={onClose} title="Responder como Profesional">
      <div className="stack">
        <div className={`preview stack stack--tight tint-${tintOf(id)}`}>
          <p className="meta">
            {category && <span className="category">{category}</span>}
            <span>{country}</span>
            <span>{author_label}</span>
          </p>
          <h3 className="title-s">{title}</h3>
          <PlainText text={content} className="stack" />
          {response_count > 0 && <Link to={href("/consulta/:id", { id })}>Leer las otras respuestas</Link>}
        </div>
        {answering ? (
          <>
            <AnsweringBadge answering={answering} />
            <AnsweringForm
              consultationId={id}
              answering={answering}
              inDialog
              onSent={(wasLast) => {
                patchItem(id, { response_count: response_count + 1 });
                if (!wasLast) onClose();
              }}
            />
          </>
        ) : (
          <ErrorState title="No se pudo verificar tu estado de psicólogo" />
        )}
      </div>
    </Dialog>
  );
}
