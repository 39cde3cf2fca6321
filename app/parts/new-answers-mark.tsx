import { counted } from "#app/lib/numbers.ts";

/** How many answers are new. */
export const newAnswersWords = (count: number) => counted(count, "respuesta nueva", "respuestas nuevas");

interface NewAnswersMarkProps {
  /** How many answers are new; nothing is shown where none is. */
  count: number;
  /** Screen readers always read "2 respuestas nuevas"; shown is all of it, "2 nuevas", or the number. */
  shown?: "words" | "few words" | "number";
  /** What it stands in says it already. */
  silent?: boolean;
}

/** That the user has new answers: in words or a number, not only by its colour. */
export function NewAnswersMark({ count, shown = "words", silent = false }: NewAnswersMarkProps) {
  if (!count) return null;
  if (shown === "words") return <span className="badge new-answers-mark">{newAnswersWords(count)}</span>;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="new-answers-mark">
      <span aria-hidden="true">{shown === "number" ? number : `${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      {!silent && <span className="visually-hidden"> {newAnswersWords(count)}</span>}
    </span>
  );
}
