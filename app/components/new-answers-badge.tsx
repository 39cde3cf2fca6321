import { pluralize } from "#app/lib/numbers.ts";

export const newAnswersText = (count: number) => pluralize(count, "respuesta nueva", "respuestas nuevas");

interface NewAnswersMarkProps {
  /** Number of new answers. Renders nothing if it is zero. */
  count: number;
  /** Visible text: "2 respuestas nuevas", "2 nuevas" or the number. Screen readers always read the longest. */
  shown?: "words" | "few words" | "number";
  /** True if the surrounding text already contains the number. */
  silent?: boolean;
}

/** Mark for new answers. Its text or number makes it independent of the colour. */
export function NewAnswersBadge({ count, shown = "words", silent = false }: NewAnswersMarkProps) {
  if (!count) return null;
  if (shown === "words") return <span className="badge new-answers-badge">{newAnswersText(count)}</span>;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="new-answers-badge">
      <span aria-hidden="true">{shown === "number" ? number : `${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      {!silent && <span className="visually-hidden"> {newAnswersText(count)}</span>}
    </span>
  );
}
