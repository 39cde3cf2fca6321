import { pluralize } from "#app/lib/format.ts";

export const newAnswersText = (count: number) => pluralize(count, "respuesta nueva", "respuestas nuevas");

interface NewAnswersMarkProps {
  /** Number of new answers. Renders nothing if it is zero. */
  count: number;
  /** Visible text: "2 respuestas nuevas" or "2 nuevas". Screen readers always read the longest. */
  shown?: "words" | "few words";
}

/** Mark for new answers. Its text or number makes it independent of the colour. */
export function NewAnswersBadge({ count, shown = "words" }: NewAnswersMarkProps) {
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
