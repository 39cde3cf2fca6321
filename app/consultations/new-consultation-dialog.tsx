import { Dialog } from "#app/ui/dialog.tsx";
import { QuickExit } from "#app/ui/quick-exit.tsx";
import type { WeeklyLimitView } from "#shared/consultations.ts";
import type { HelpLinesView } from "#shared/safety.ts";
import { CardPreview } from "./card-preview.tsx";
import ConsultationForm, { WeeklyLimitMessage } from "./consultation-form.tsx";
import "./new-consultation-dialog.css";

interface NewConsultationDialogProps {
  limit: WeeklyLimitView;
  helpLines: HelpLinesView;
  country?: string;
  onClose: () => void;
}

/** In a separate file, so that only authors load it. */
export default function NewConsultationDialog({ limit, helpLines, country, onClose }: NewConsultationDialogProps) {
  const reached = limit.used >= limit.max_consultations;
  return (
    <Dialog onClose={onClose} title="Nueva Consulta" beside={<QuickExit />} className="new-consultation-dialog">
      {reached ? (
        <WeeklyLimitMessage limit={limit} helpLines={helpLines} />
      ) : (
        <ConsultationForm values={{ country }} preview={CardPreview} onCancel={onClose} />
      )}
    </Dialog>
  );
}
