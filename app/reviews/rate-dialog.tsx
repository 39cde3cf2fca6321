import { unbrokenTitle } from "#app/lib/format.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { RankedView } from "#shared/psychologists.ts";
import { ReviewForm } from "./review-form.tsx";

/** Dialog that rates a psychologist from the ranking. In a separate file, so that only reviewers load it. */
export default function RateDialog({ psychologist, onClose }: { psychologist: RankedView; onClose: () => void }) {
  return (
    <Dialog onClose={onClose} title={`Calificar: ${unbrokenTitle(psychologist.full_name)}`} small>
      <div className="stack">
        <ReviewForm psychologistId={psychologist.id} own={psychologist.viewer.review} onSent={onClose} />
      </div>
    </Dialog>
  );
}
