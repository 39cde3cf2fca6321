import { href, useFetcher } from "react-router";
import { ActionForm, useForm } from "#app/components/action-form.tsx";
import { pluralize } from "#app/lib/numbers.ts";
import { type Icon, icon } from "#app/ui/icon.tsx";
import type { AnswerView } from "#shared/answers.ts";
import "./thanks.css";

const SproutIcon: Icon = /* @__PURE__ */ icon(
  "M14 9.536V7a4 4 0 0 1 4-4h1.5a.5.5 0 0 1 .5.5V5a4 4 0 0 1-4 4 4 4 0 0 0-4 4c0 2 1 3 1 5a5 5 0 0 1-1 3M4 9a5 5 0 0 1 8 4 5 5 0 0 1-8-4M5 21h14",
);

/** Button "Esto me ayudó": private thanks, apart from the votes. */
export function ThanksButton({ answer: { id, psychologist, viewer } }: { answer: AnswerView }) {
  const fetcher = useFetcher<{ thanked: boolean }>();
  useForm(fetcher.data, { toast: true });
  const sent = fetcher.formData ? fetcher.formData.get("on") === "1" : fetcher.data?.thanked;
  const thanked = sent ?? viewer.thanked;
  return (
    <ActionForm fetcher={fetcher} action={href("/respuesta/:id/gracias", { id })} className="thanks">
      <button
        type="submit"
        name="on"
        value={thanked ? "0" : "1"}
        aria-pressed={thanked}
        title={`Solo lo sabe ${psychologist.full_name}, sin tu nombre`}
      >
        <SproutIcon size="s" />
        Esto me ayudó
      </button>
    </ActionForm>
  );
}

/** Number of thanks, only for the answer's psychologist. */
export const ThanksCount = ({ count }: { count: number | null }) =>
  count ? (
    <p className="thanks-count">{`${pluralize(count, "persona dice", "personas dicen")} que le${count === 1 ? "" : "s"} ayudó`}</p>
  ) : null;
