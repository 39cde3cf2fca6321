import { pluralize } from "#app/lib/format.ts";

export const newAnswersText = (count: number) => pluralize(count, "respuesta nueva", "respuestas nuevas");

interface NewAnswersBadgeProps {
  /** Number of new answers. Renders nothing if it is zero. */
  count: number;
  /** Visible text: "2 respuestas nuevas" or "2 nuevas". Screen readers always read the longest. */
  shown?: "words" | "few words";
}

/** Badge for new answers. Its text or number makes it independent of the colour. */
export function NewAnswersBadge({ count, shown = "words" }: NewAnswersBadgeProps) {
  if (!count) return null;
  if (shown === "words") return <span className="badge new-answers-badge">{newAnswersText(count)}</span>;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="new-answers-badge">
      <span aria-hidden="true">{`${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      <span className="visually-hidden"> {newAnswersText(count)}</span>
    </span>
  );
}
