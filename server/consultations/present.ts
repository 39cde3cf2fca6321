import type { AdminConsultationView } from "#shared/admin.ts";
import type { ConsultationView, OwnConsultationView } from "#shared/consultations.ts";
import { excerpt } from "#shared/excerpt.ts";
import { minuteOf } from "#shared/time.ts";
import type { Unversioned, Versioned } from "../versions.ts";

type Row = {
  id: string;
  title: string;
  content: string;
  country: string;
  category: string | null;
  is_anonymous: boolean;
  author_label: string | null;
  created_at: Date;
  edited_at: Date | null;
  upvotes: number;
  downvotes: number;
  response_count: number;
};

/** Label of anonymous consultations and of deleted accounts. */
const ANONYMOUS_LABEL = "Anónimo";

/**
 * Maps a row to the author's own list. Contains only the beginning of the text: otherwise the response's length would
 * show which texts are in the list.
 */
export const presentOwnConsultation = (
  row: Row & {
    answers_received: number;
    answers_seen: number;
    newest_answer: { id: string; author: string; content: string } | null;
  },
): OwnConsultationView => ({
  ...presentConsultation(row),
  content: excerpt(row.content),
  new_answers: row.answers_received - row.answers_seen,
  newest_answer: row.newest_answer && { ...row.newest_answer, content: excerpt(row.newest_answer.content) },
});

/** Returns a public time of a row, cut to the minute if the row is anonymous. */
const publicTime = ({ is_anonymous }: Pick<Row, "is_anonymous">, at: Date) =>
  is_anonymous ? minuteOf(at) : at.toISOString();

export const presentConsultation = (row: Row): ConsultationView => ({
  id: row.id,
  title: row.title,
  content: row.content,
  country: row.country,
  category: row.category,
  is_anonymous: row.is_anonymous,
  author_label: row.author_label ?? ANONYMOUS_LABEL,
  created_at: publicTime(row, row.created_at),
  edited_at: row.edited_at && publicTime(row, row.edited_at),
  upvotes: row.upvotes,
  downvotes: row.downvotes,
  response_count: row.response_count,
});

/** Versioned fields of a removal: the text and the number of answers. */
export const REMOVABLE: Versioned<Row, Unversioned<AdminConsultationView>> = {
  kind: "consultation",
  present(row) {
    const { edited_at: _edited, upvotes: _up, downvotes: _down, ...view } = presentConsultation(row);
    return view;
  },
  ignored: [],
};
