import { pluralize } from "#app/lib/format.ts";

export const newAnswersText = (count: number) => pluralize(count, "respuesta nueva", "respuestas nuevas");

export function NewAnswersBadge({ count }: { count: number }) {
  if (!count) return null;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="new-answers-badge">
      <span aria-hidden="true">{`${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      <span className="visually-hidden"> {newAnswersText(count)}</span>
    </span>
  );
}
