import type { AdminConsultationView } from "#shared/admin.ts";
import type { ConsultationView } from "#shared/consultations.ts";
import { excerpt } from "#shared/excerpt.ts";
import { minuteOf } from "#shared/time.ts";
import type { Unversioned, Versioned } from "../versions.ts";

type Row = Omit<ConsultationView, "author_label" | "created_at" | "edited_at"> & {
  author_label: string | null;
  created_at: Date;
  edited_at: Date | null;
};

/** Label of anonymous consultations and of deleted accounts. */
const ANONYMOUS_LABEL = "Anónimo";

/**
 * Adapts a row of the author's own list. Contains only the beginning of the text: otherwise the response's length would
 * show which texts are in the list.
 */
export const presentOwnConsultation = (
  row: Row & {
    answers_received: number;
    answers_seen: number;
    newest_answer: { id: string; author: string; content: string } | null;
  },
) => ({
  ...presentConsultation(row),
  content: excerpt(row.content),
  new_answers: row.answers_received - row.answers_seen,
  newest_answer: row.newest_answer && { ...row.newest_answer, content: excerpt(row.newest_answer.content) },
});

/** Returns a public time of a row, cut to the minute if the row is anonymous. */
const publicTime = ({ is_anonymous }: Pick<Row, "is_anonymous">, at: Date) =>
  is_anonymous ? minuteOf(at) : at.toISOString();

/** Adapts a row of the public view. The contract strips its other columns. */
export const presentConsultation = <Of extends Row>(row: Of) => ({
  ...row,
  author_label: row.author_label ?? ANONYMOUS_LABEL,
  created_at: publicTime(row, row.created_at),
  edited_at: row.edited_at && publicTime(row, row.edited_at),
});

/** Versioned fields of a removal: the text and the number of answers. */
export const REMOVABLE: Versioned<Row, Unversioned<AdminConsultationView>> = {
  kind: "consultation",
  present(row) {
    const { id, title, content, country, category, is_anonymous, response_count } = row;
    const { author_label, created_at } = presentConsultation(row);
    return { id, title, content, country, category, is_anonymous, author_label, created_at, response_count };
  },
};
