import { newsWords } from "#app/lib/numbers.ts";

export interface NewsMarkProps {
  /** How many answers came that the person has not seen; of none nothing is shown. */
  count: number;
  /** Who hears the page always hears "2 respuestas nuevas"; shown is all of it, "2 nuevas", or the number. */
  shown?: "words" | "few words" | "number";
  /** What it stands in says it already. */
  silent?: boolean;
}

/** That answers came which the person has not seen: in words or a number, not by its colour alone. */
export function NewsMark({ count, shown = "words", silent = false }: NewsMarkProps) {
  if (!count) return null;
  if (shown === "words") return <span className="badge news-mark">{newsWords(count)}</span>;
  const number = count > 99 ? "99+" : String(count);
  return (
    <span className="news-mark">
      <span aria-hidden="true">{shown === "number" ? number : `${number} ${count === 1 ? "nueva" : "nuevas"}`}</span>
      {!silent && <span className="visually-hidden"> {newsWords(count)}</span>}
    </span>
  );
}
