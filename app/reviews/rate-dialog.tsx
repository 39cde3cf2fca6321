import { unbrokenTitle } from "#app/lib/format.ts";
import { Dialog } from "#app/ui/dialog.tsx";
import type { RankedView } from "#shared/psychologists.ts";
import { ReviewForm, SignInToReview } from "./review-form.tsx";

/** Dialog that rates a psychologist from the ranking. In a separate file, so that only reviewers load it. */
export default function RateDialog({
  psychologist,
  signedIn,
  onClose,
}: {
  psychologist: RankedView;
  signedIn: boolean;
  onClose: () => void;
}) {
  return (
    <Dialog onClose={onClose} title={`Calificar: ${unbrokenTitle(psychologist.full_name)}`} small>
      <div className="stack">
        {signedIn ? (
          <ReviewForm psychologistId={psychologist.id} own={psychologist.viewer.review} onSent={onClose} />
        ) : (
          <SignInToReview psychologistId={psychologist.id} />
        )}
      </div>
    </Dialog>
  );
}
